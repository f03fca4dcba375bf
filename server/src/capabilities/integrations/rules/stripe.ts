import * as z from 'zod/mini'
import { boolean, string } from '../../../kernel/schemas.ts'
import { headerOf, payloadOf, unsupportedEventError, hmacOf, isValidHmac, type Integration } from './requests.ts'
import { code, isGiven, lookUpWord, link, bulletList, plainText } from './text.ts'

const optionalText = z.optional(z.nullable(string))
const optionalAmount = z.optional(z.nullable(z.number()))

const optionalReference = z.optional(z.nullable(z.union([string, z.object({ id: string })])))
const optionalPerson = z.optional(z.nullable(z.object({ name: optionalText, email: optionalText })))

/** Each kind of plan omits the fields of the other kinds. */
const plan = z.object({
  nickname: optionalText,
  /** Stripe renamed this field to `nickname` in 2018. */
  name: optionalText,
  amount: optionalAmount,
  currency: optionalText,
  interval: optionalText,
  interval_count: optionalAmount,
  product: optionalReference,
})
const price = z.object({
  nickname: optionalText,
  unit_amount: optionalAmount,
  /** Replaces `unit_amount` if the amount is not an integer. */
  unit_amount_decimal: optionalText,
  currency: optionalText,
  recurring: z.optional(z.nullable(z.object({ interval: optionalText, interval_count: optionalAmount }))),
  product: optionalReference,
})
const item = z.object({
  quantity: optionalAmount,
  plan: z.optional(z.nullable(plan)),
  price: z.optional(z.nullable(price)),
})

/** The payload of an unknown event type can have any shape. */
const typedPayload = z.object({ type: string })

const payload = z.object({
  livemode: boolean,
  data: z.object({
    previous_attributes: z.optional(z.nullable(z.object({ status: optionalText }))),
    object: z.object({
      id: optionalText,
      amount: optionalAmount,
      amount_due: optionalAmount,
      amount_paid: optionalAmount,
      amount_received: optionalAmount,
      amount_refunded: optionalAmount,
      amount_total: optionalAmount,
      currency: optionalText,
      email: optionalText,
      name: optionalText,
      customer: optionalReference,
      customer_name: optionalText,
      customer_email: optionalText,
      customer_details: optionalPerson,
      billing_details: optionalPerson,
      receipt_email: optionalText,
      evidence: z.optional(z.nullable(z.object({ customer_name: optionalText, customer_email_address: optionalText }))),
      description: optionalText,
      charge: optionalReference,
      payment_intent: optionalReference,
      plan: z.optional(z.nullable(plan)),
      quantity: optionalAmount,
      items: z.optional(z.nullable(z.object({ data: z.optional(z.nullable(z.array(item))) }))),
      cancel_at_period_end: z.optional(z.nullable(boolean)),
      failure_message: optionalText,
      failure_reason: optionalText,
      hosted_invoice_url: optionalText,
      number: optionalText,
      status: optionalText,
      reason: optionalText,
    }),
  }),
})

const SAMPLE_PAYLOAD: z.input<typeof payload> & z.input<typeof typedPayload> = {
  type: 'charge.succeeded',
  livemode: false,
  data: { object: { id: 'ch_test', amount: 1_200, currency: 'eur', status: 'succeeded', name: 'A test' } },
}

type AmountField = 'amount' | 'amount_due' | 'amount_paid' | 'amount_received' | 'amount_refunded' | 'amount_total'

type EventText = readonly [topic: string, sign: string, words: string, amount?: AmountField]

const EVENT_TEXTS: Readonly<Record<string, EventText>> = {
  'charge.succeeded': ['charges', '✅', 'A charge succeeded', 'amount'],
  'charge.failed': ['charges', '❌', 'A charge failed', 'amount'],
  'charge.refunded': ['charges', '↩️', 'A charge was refunded', 'amount_refunded'],
  'charge.dispute.created': ['disputes', '⚠️', 'A charge is disputed', 'amount'],
  'charge.dispute.closed': ['disputes', 'ℹ️', 'A dispute was closed', 'amount'],
  'charge.dispute.funds_reinstated': ['disputes', '✅', 'Disputed funds were reinstated', 'amount'],
  'charge.dispute.funds_withdrawn': ['disputes', '↩️', 'Disputed funds were withdrawn', 'amount'],
  'checkout.session.async_payment_failed': ['checkouts', '❌', 'The payment for a checkout failed', 'amount_total'],
  'checkout.session.async_payment_succeeded': [
    'checkouts',
    '✅',
    'The payment for a checkout succeeded',
    'amount_total',
  ],
  'checkout.session.completed': ['checkouts', '✅', 'A checkout was completed', 'amount_total'],
  'checkout.session.expired': ['checkouts', '⏳', 'A checkout expired', 'amount_total'],
  'customer.created': ['customers', '👤', 'A customer was added'],
  'customer.deleted': ['customers', '🗑️', 'A customer was deleted'],
  'customer.subscription.created': ['subscriptions', '✅', 'A subscription started'],
  'customer.subscription.updated': ['subscriptions', '✏️', 'A subscription changed'],
  'customer.subscription.paused': ['subscriptions', '⏸️', 'A subscription was paused'],
  'customer.subscription.resumed': ['subscriptions', '▶️', 'A subscription was resumed'],
  'customer.subscription.deleted': ['subscriptions', '🚫', 'A subscription ended'],
  'customer.subscription.trial_will_end': ['subscriptions', '⏳', 'A trial is about to end'],
  'invoice.finalized': ['invoices', '🧾', 'An invoice was finalized', 'amount_due'],
  'invoice.marked_uncollectible': ['invoices', '🚫', 'An invoice was marked as uncollectible', 'amount_due'],
  'invoice.paid': ['invoices', '✅', 'An invoice was paid', 'amount_paid'],
  'invoice.payment_failed': ['invoices', '❌', 'The payment for an invoice failed', 'amount_due'],
  'invoice.payment_action_required': [
    'invoices',
    '⚠️',
    'The payment for an invoice requires action by the customer',
    'amount_due',
  ],
  'invoice.payment_succeeded': ['invoices', '✅', 'The payment for an invoice succeeded', 'amount_paid'],
  'invoice.upcoming': ['invoices', '⏳', 'An invoice is upcoming', 'amount_due'],
  'invoice.voided': ['invoices', '🚫', 'An invoice was voided', 'amount_due'],
  'payment_intent.canceled': ['payments', '🚫', 'A payment was canceled', 'amount'],
  'payment_intent.succeeded': ['payments', '✅', 'A payment succeeded', 'amount_received'],
  'payment_intent.payment_failed': ['payments', '❌', 'A payment failed', 'amount'],
  'payout.paid': ['payouts', '✅', 'A payout was paid', 'amount'],
  'payout.failed': ['payouts', '❌', 'A payout failed', 'amount'],
  'refund.created': ['refunds', '↩️', 'A refund was created', 'amount'],
  'refund.failed': ['refunds', '❌', 'A refund failed', 'amount'],
  'radar.early_fraud_warning.created': ['fraud', '⚠️', 'A charge may be fraudulent'],
}

const DASHBOARD_PAGES: Readonly<Record<string, string>> = {
  ch: 'payments',
  py: 'payments',
  pi: 'payments',
  cus: 'customers',
  in: 'invoices',
  sub: 'subscriptions',
  po: 'payouts',
  du: 'disputes',
  dp: 'disputes',
  prod: 'products',
}

/** Rejects older signatures, to prevent replays. */
const MAX_SIGNATURE_AGE_SECONDS = 300

export const integration: Integration = {
  read(request) {
    const { type: event } = payloadOf(request, typedPayload)
    const telling = lookUpWord(EVENT_TEXTS, event)
    if (telling === undefined) throw unsupportedEventError(request, event)
    const {
      livemode,
      data: { object, previous_attributes: before },
    } = payloadOf(request, payload)
    const [topic, sign, words, field] = telling
    const money = formatMoney(field === undefined ? undefined : object[field], object.currency)
    const whose = customerText(object, livemode)
    const parts = [
      `${sign} ${isGiven(object.hosted_invoice_url) ? link(words, object.hosted_invoice_url) : words}`,
      money && `: **${money}**`,
      whose && (topic === 'customers' ? `: ${whose}` : ` for ${whose}`),
      isGiven(object.failure_message) ? ` (${plainText(object.failure_message)})` : '',
      isGiven(before?.status) ? ` (was ${code(before.status)})` : '',
      object.cancel_at_period_end === true && object.status !== 'canceled' ? ' (ends after the current period)' : '',
      livemode ? '' : ' (test mode)',
    ]
    const lines = [parts.join(''), plainText(object.description ?? ''), detailsText(object, topic, livemode)]
    return {
      event,
      topic,
      content: lines.filter((line) => line !== '').join('\n') + bulletList(planTexts(object, livemode), 5),
    }
  },
  isSigned(request, secret) {
    const parts = headerOf(request, 'Stripe-Signature')
      .split(',', 20)
      .map((part) => part.trim())
    const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? ''
    const isRecent = Math.abs(Date.now() / 1000 - Number(time || Number.NaN)) <= MAX_SIGNATURE_AGE_SECONDS
    const signed = Buffer.concat([Buffer.from(`${time}.`), request.body])
    return isRecent && parts.some((part) => part.startsWith('v1=') && isValidHmac(part.slice(3), signed, secret))
  },
  sign(body, secret) {
    const time = Math.floor(Date.now() / 1000)
    return { 'stripe-signature': `t=${time},v1=${hmacOf(`${time}.${body}`, secret)}` }
  },
  sample: { body: SAMPLE_PAYLOAD },
}

type StripeObject = z.output<typeof payload>['data']['object']

function customerText(object: StripeObject, livemode: boolean): string {
  const { customer_details: details, billing_details: billing, evidence } = object
  const name = [
    object.name,
    object.customer_name,
    details?.name,
    billing?.name,
    evidence?.customer_name,
    object.email,
    object.customer_email,
    details?.email,
    billing?.email,
    object.receipt_email,
    evidence?.customer_email_address,
  ].find((one) => isGiven(one) && one.trim() !== '')
  const id = referenceId(object.customer)
  if (id === undefined) return plainText(name ?? '')
  return isGiven(name) ? link(name, dashboardUrl(id, livemode)) : idText(id, livemode)
}

const PAYMENT_TOPICS = new Set(['disputes', 'refunds', 'fraud'])

function detailsText(object: StripeObject, topic: string, livemode: boolean): string {
  const { number, status, reason, failure_reason, id, charge, payment_intent } = object
  const facts = [number, status, reason, failure_reason].map((fact) => code(fact ?? ''))
  const paid = PAYMENT_TOPICS.has(topic) ? (referenceId(charge) ?? referenceId(payment_intent)) : undefined
  const ids = [isGiven(id) ? idText(id, livemode) : '', paid === undefined ? '' : `of ${idText(paid, livemode)}`]
  return [...facts, ...ids].filter((part) => part !== '').join(' ')
}

function planTexts({ items, plan: only, quantity }: StripeObject, livemode: boolean): string[] {
  const all = items?.data ?? (isGiven(only) ? [{ plan: only, price: undefined, quantity }] : [])
  return all.flatMap(({ plan: planned, price: priced, quantity: count }) => {
    const of = priced ?? planned
    if (!isGiven(of)) return []
    const product = referenceId(of.product)
    const given = of.nickname || planned?.name
    const name = given ? plainText(given) : product === undefined ? '' : idText(product, livemode)
    const units = priced?.unit_amount ?? (priced?.unit_amount_decimal ? Number(priced.unit_amount_decimal) : undefined)
    const money = formatMoney(units ?? (priced ? undefined : planned?.amount), of.currency)
    const cost = money && `**${money}**${intervalText(priced?.recurring ?? planned)}`
    const said = [name, cost].filter((part) => part !== '').join(': ')
    return said === '' ? [] : [isGiven(count) && count !== 1 ? `${count} × ${said}` : said]
  })
}

type BillingInterval = {
  readonly interval?: string | null | undefined
  readonly interval_count?: number | null | undefined
}

function intervalText(every: BillingInterval | null | undefined): string {
  const { interval, interval_count: count } = every ?? {}
  if (!isGiven(interval) || interval === '') return ''
  return isGiven(count) && count !== 1 ? ` every ${count} ${plainText(interval)}s` : ` per ${plainText(interval)}`
}

function referenceId(given: z.output<typeof optionalReference>): string | undefined {
  return typeof given === 'string' ? given : given?.id
}

function idText(id: string, livemode: boolean): string {
  const page = dashboardUrl(id, livemode)
  return page === undefined ? code(id) : link(id, page)
}

function dashboardUrl(id: string, livemode: boolean): string | undefined {
  const page = lookUpWord(DASHBOARD_PAGES, /^([a-z]+)_\w+$/.exec(id)?.[1])
  return page === undefined ? undefined : `https://dashboard.stripe.com/${livemode ? '' : 'test/'}${page}/${id}`
}

/** Currencies that Stripe writes with 0 or 3 decimal places, not 2. For MGA, ISK, and UGX, ISO 4217 differs. */
const CURRENCY_DIGITS: Readonly<Record<string, number>> = Object.fromEntries([
  ...'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ').map((currency) => [currency, 0] as const),
  ...'bhd jod kwd omr tnd'.split(' ').map((currency) => [currency, 3] as const),
])

/** Allows prices below the currency's smallest unit. */
const MAX_FRACTION_DIGITS = 14

function formatMoney(units: number | null | undefined, currency: string | null | undefined): string {
  if (!isGiven(units) || !Number.isFinite(units) || !isGiven(currency) || !/^[a-z]{3}$/i.test(currency)) return ''
  const digits = lookUpWord(CURRENCY_DIGITS, currency.toLowerCase()) ?? 2
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: Number.isInteger(units) ? digits : MAX_FRACTION_DIGITS,
  })
  return plainText(format.format(units / 10 ** digits).replaceAll('\u00a0', ' '))
}
