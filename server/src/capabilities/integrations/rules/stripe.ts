import * as z from 'zod/mini'
import { boolean, string } from '../../../kernel/schemas.ts'
import { headerOf, payloadOf, unsupported, type Integration } from './requests.ts'
import { isHmac } from './signatures.ts'
import { code, isGiven, known, link, plain } from './text.ts'

const text = z.optional(z.nullable(string))
const amount = z.optional(z.nullable(z.number()))

const payload = z.object({
  type: string,
  livemode: boolean,
  data: z.object({
    object: z.object({
      id: text,
      amount,
      amount_due: amount,
      amount_paid: amount,
      amount_received: amount,
      amount_refunded: amount,
      amount_total: amount,
      currency: text,
      email: text,
      name: text,
      customer: z.optional(z.nullable(z.union([string, z.object({ id: string })]))),
      customer_email: text,
      failure_message: text,
      hosted_invoice_url: text,
      number: text,
      status: text,
      reason: text,
    }),
  }),
})

type Thing = z.output<typeof payload>['data']['object']

interface Telling {
  readonly topic: string
  readonly sign: string
  readonly words: string
  readonly amount?: (thing: Thing) => number | null | undefined
}

const EVENTS: Readonly<Record<string, Telling>> = {
  'charge.succeeded': { topic: 'charges', sign: '✅', words: 'A charge succeeded', amount: (thing) => thing.amount },
  'charge.failed': { topic: 'charges', sign: '❌', words: 'A charge failed', amount: (thing) => thing.amount },
  'charge.refunded': {
    topic: 'charges',
    sign: '↩️',
    words: 'A charge was refunded',
    amount: (thing) => thing.amount_refunded,
  },
  'charge.dispute.created': {
    topic: 'disputes',
    sign: '⚠️',
    words: 'A charge is disputed',
    amount: (thing) => thing.amount,
  },
  'charge.dispute.closed': {
    topic: 'disputes',
    sign: 'ℹ️',
    words: 'A dispute was closed',
    amount: (thing) => thing.amount,
  },
  'checkout.session.completed': {
    topic: 'checkouts',
    sign: '✅',
    words: 'A checkout was completed',
    amount: (thing) => thing.amount_total,
  },
  'customer.created': { topic: 'customers', sign: '👤', words: 'A customer was added' },
  'customer.deleted': { topic: 'customers', sign: '🗑️', words: 'A customer was deleted' },
  'customer.subscription.created': { topic: 'subscriptions', sign: '✅', words: 'A subscription began' },
  'customer.subscription.updated': { topic: 'subscriptions', sign: '✏️', words: 'A subscription changed' },
  'customer.subscription.deleted': { topic: 'subscriptions', sign: '🚫', words: 'A subscription ended' },
  'customer.subscription.trial_will_end': { topic: 'subscriptions', sign: '⏳', words: 'A trial is about to end' },
  'invoice.finalized': {
    topic: 'invoices',
    sign: '🧾',
    words: 'An invoice was finalized',
    amount: (thing) => thing.amount_due,
  },
  'invoice.paid': { topic: 'invoices', sign: '✅', words: 'An invoice was paid', amount: (thing) => thing.amount_paid },
  'invoice.payment_failed': {
    topic: 'invoices',
    sign: '❌',
    words: 'The payment of an invoice failed',
    amount: (thing) => thing.amount_due,
  },
  'payment_intent.succeeded': {
    topic: 'payments',
    sign: '✅',
    words: 'A payment succeeded',
    amount: (thing) => thing.amount_received,
  },
  'payment_intent.payment_failed': {
    topic: 'payments',
    sign: '❌',
    words: 'A payment failed',
    amount: (thing) => thing.amount,
  },
  'payout.paid': { topic: 'payouts', sign: '✅', words: 'A payout was paid', amount: (thing) => thing.amount },
  'payout.failed': { topic: 'payouts', sign: '❌', words: 'A payout failed', amount: (thing) => thing.amount },
}

/** A signature is for a time, which must not be long ago: a request cannot be sent again later. */
const SIGNED_SECONDS = 300

export const stripe: Integration = {
  read(request) {
    const {
      type: event,
      livemode,
      data: { object },
    } = payloadOf(request, payload)
    const telling = known(EVENTS, event)
    if (telling === undefined) throw unsupported(request, event)
    const { topic, sign, words } = telling
    const money = moneyOf(telling.amount?.(object), object.currency)
    const whose = object.name ?? object.email ?? object.customer_email
    const facts = [object.number, object.status, object.reason, object.id].flatMap((fact) =>
      isGiven(fact) ? [code(fact)] : [],
    )
    const parts = [
      `${sign} ${isGiven(object.hosted_invoice_url) ? link(words, object.hosted_invoice_url) : words}${money === '' ? '' : `: **${money}**`}`,
      isGiven(whose) ? `for ${plain(whose)}` : '',
      isGiven(object.failure_message) ? `(${plain(object.failure_message)})` : '',
      livemode ? '' : '(test mode)',
    ].filter((part) => part !== '')
    return { event, topic, content: `${parts.join(' ')}\n${facts.join(' ')}`.trim() }
  },
  isSigned(request, secret) {
    const parts = headerOf(request, 'Stripe-Signature')
      .split(',', 20)
      .map((part) => part.trim())
    const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? ''
    const isRecent = Math.abs(Date.now() / 1000 - Number(time || Number.NaN)) <= SIGNED_SECONDS
    const signed = Buffer.concat([Buffer.from(`${time}.`), request.body])
    return isRecent && parts.some((part) => part.startsWith('v1=') && isHmac(part.slice(3), signed, secret))
  },
}

/** Stripe counts in the smallest unit of a currency, which may be the currency itself. */
function moneyOf(units: number | null | undefined, currency: string | null | undefined): string {
  if (!isGiven(units) || !isGiven(currency) || !/^[a-z]{3}$/i.test(currency)) return ''
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return plain(format.format(units / 10 ** digits).replaceAll('\u00a0', ' '))
}
