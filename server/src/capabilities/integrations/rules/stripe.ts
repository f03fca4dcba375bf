import * as z from 'zod/mini'
import { boolean, string } from '../../../kernel/schemas.ts'
import { headerOf, payloadOf, unsupported, type Integration } from './requests.ts'
import { hmacOf, isHmac } from './signatures.ts'
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

const SAMPLE: z.input<typeof payload> = {
  type: 'charge.succeeded',
  livemode: false,
  data: { object: { id: 'ch_test', amount: 1_200, currency: 'eur', status: 'succeeded', name: 'A test' } },
}

type AmountField = 'amount' | 'amount_due' | 'amount_paid' | 'amount_received' | 'amount_refunded' | 'amount_total'

/** What is said of each event, and which field says how much money it is about. */
type Telling = readonly [topic: string, sign: string, words: string, amount?: AmountField]

const EVENTS: Readonly<Record<string, Telling>> = {
  'charge.succeeded': ['charges', '✅', 'A charge succeeded', 'amount'],
  'charge.failed': ['charges', '❌', 'A charge failed', 'amount'],
  'charge.refunded': ['charges', '↩️', 'A charge was refunded', 'amount_refunded'],
  'charge.dispute.created': ['disputes', '⚠️', 'A charge is disputed', 'amount'],
  'charge.dispute.closed': ['disputes', 'ℹ️', 'A dispute was closed', 'amount'],
  'checkout.session.completed': ['checkouts', '✅', 'A checkout was completed', 'amount_total'],
  'checkout.session.expired': ['checkouts', '⏳', 'A checkout expired', 'amount_total'],
  'customer.created': ['customers', '👤', 'A customer was added'],
  'customer.deleted': ['customers', '🗑️', 'A customer was deleted'],
  'customer.subscription.created': ['subscriptions', '✅', 'A subscription began'],
  'customer.subscription.updated': ['subscriptions', '✏️', 'A subscription changed'],
  'customer.subscription.paused': ['subscriptions', '⏸️', 'A subscription was paused'],
  'customer.subscription.resumed': ['subscriptions', '▶️', 'A subscription goes on'],
  'customer.subscription.deleted': ['subscriptions', '🚫', 'A subscription ended'],
  'customer.subscription.trial_will_end': ['subscriptions', '⏳', 'A trial is about to end'],
  'invoice.finalized': ['invoices', '🧾', 'An invoice was finalized', 'amount_due'],
  'invoice.paid': ['invoices', '✅', 'An invoice was paid', 'amount_paid'],
  'invoice.payment_failed': ['invoices', '❌', 'The payment of an invoice failed', 'amount_due'],
  'invoice.payment_action_required': [
    'invoices',
    '⚠️',
    'The payment of an invoice waits for the customer',
    'amount_due',
  ],
  'invoice.voided': ['invoices', '🚫', 'An invoice was voided', 'amount_due'],
  'payment_intent.succeeded': ['payments', '✅', 'A payment succeeded', 'amount_received'],
  'payment_intent.payment_failed': ['payments', '❌', 'A payment failed', 'amount'],
  'payout.paid': ['payouts', '✅', 'A payout was paid', 'amount'],
  'payout.failed': ['payouts', '❌', 'A payout failed', 'amount'],
  'refund.failed': ['refunds', '❌', 'A refund failed', 'amount'],
  'radar.early_fraud_warning.created': ['fraud', '⚠️', 'A charge may be fraud'],
}

/** Where the site of Stripe shows an object, by the beginning of its id. */
const PAGES: Readonly<Record<string, string>> = {
  ch: 'payments',
  py: 'payments',
  pi: 'payments',
  cus: 'customers',
  in: 'invoices',
  sub: 'subscriptions',
  po: 'payouts',
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
    const [topic, sign, words, field] = telling
    const money = moneyOf(field === undefined ? undefined : object[field], object.currency)
    const whose = object.name ?? object.email ?? object.customer_email
    const facts = [object.number, object.status, object.reason].flatMap((fact) => (isGiven(fact) ? [code(fact)] : []))
    const id = isGiven(object.id) ? [idText(object.id, livemode)] : []
    const parts = [
      `${sign} ${isGiven(object.hosted_invoice_url) ? link(words, object.hosted_invoice_url) : words}${money === '' ? '' : `: **${money}**`}`,
      isGiven(whose) ? `for ${plain(whose)}` : '',
      isGiven(object.failure_message) ? `(${plain(object.failure_message)})` : '',
      livemode ? '' : '(test mode)',
    ].filter((part) => part !== '')
    return { event, topic, content: `${parts.join(' ')}\n${[...facts, ...id].join(' ')}`.trim() }
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
  sign(body, secret) {
    const time = Math.floor(Date.now() / 1000)
    return { 'stripe-signature': `t=${time},v1=${hmacOf(`${time}.${body}`, secret)}` }
  },
  sample: { body: SAMPLE },
}

/** An id, linked to its page where there is one. */
function idText(id: string, livemode: boolean): string {
  const page = known(PAGES, /^([a-z]+)_\w+$/.exec(id)?.[1])
  return page === undefined
    ? code(id)
    : link(id, `https://dashboard.stripe.com/${livemode ? '' : 'test/'}${page}/${id}`)
}

/** Stripe counts in the smallest unit of a currency, which may be the currency itself. */
function moneyOf(units: number | null | undefined, currency: string | null | undefined): string {
  if (!isGiven(units) || !isGiven(currency) || !/^[a-z]{3}$/i.test(currency)) return ''
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return plain(format.format(units / 10 ** digits).replaceAll('\u00a0', ' '))
}
