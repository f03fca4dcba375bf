import type { Sample } from './sample.ts'

const SITE = 'https://office.example'

const stripe = (type: string, object: object, livemode = true): object => ({
  id: 'evt_1',
  object: 'event',
  api_version: '2026-01-01',
  created: 1_700_000_000,
  livemode,
  type,
  data: { object },
})

/** What is said of each event, without money. */
const WORDS: Readonly<Record<string, readonly [topic: string, words: string]>> = {
  'charge.succeeded': ['charges', '✅ A charge succeeded'],
  'charge.refunded': ['charges', '↩️ A charge was refunded'],
  'charge.dispute.created': ['disputes', '⚠️ A charge is disputed'],
  'charge.dispute.closed': ['disputes', 'ℹ️ A dispute was closed'],
  'checkout.session.completed': ['checkouts', '✅ A checkout was completed'],
  'checkout.session.expired': ['checkouts', '⏳ A checkout expired'],
  'customer.deleted': ['customers', '🗑️ A customer was deleted'],
  'customer.subscription.created': ['subscriptions', '✅ A subscription began'],
  'customer.subscription.updated': ['subscriptions', '✏️ A subscription changed'],
  'customer.subscription.paused': ['subscriptions', '⏸️ A subscription was paused'],
  'customer.subscription.resumed': ['subscriptions', '▶️ A subscription goes on'],
  'customer.subscription.deleted': ['subscriptions', '🚫 A subscription ended'],
  'customer.subscription.trial_will_end': ['subscriptions', '⏳ A trial is about to end'],
  'invoice.finalized': ['invoices', '🧾 An invoice was finalized'],
  'invoice.payment_failed': ['invoices', '❌ The payment of an invoice failed'],
  'invoice.payment_action_required': ['invoices', '⚠️ The payment of an invoice waits for the customer'],
  'invoice.voided': ['invoices', '🚫 An invoice was voided'],
  'payment_intent.succeeded': ['payments', '✅ A payment succeeded'],
  'payment_intent.payment_failed': ['payments', '❌ A payment failed'],
  'payout.paid': ['payouts', '✅ A payout was paid'],
  'payout.failed': ['payouts', '❌ A payout failed'],
  'refund.failed': ['refunds', '❌ A refund failed'],
  'radar.early_fraud_warning.created': ['fraud', '⚠️ A charge may be fraud'],
}

export const STRIPE: readonly Sample[] = [
  {
    service: 'stripe',
    what: 'invoice.paid',
    body: stripe('invoice.paid', {
      id: 'in_1',
      amount_paid: 123_456,
      currency: 'eur',
      customer_name: 'Acme',
      customer_email: 'acme@example.com',
      number: 'A-1',
      status: 'paid',
      hosted_invoice_url: `${SITE}/invoice`,
    }),
    topic: 'invoices',
    content: `✅ [An invoice was paid](${SITE}/invoice): **EUR 1\\,234\\.56** for acme\\@example\\.com\n\`A-1\` \`paid\` [in\\_1](https://dashboard.stripe.com/invoices/in_1)`,
  },
  {
    service: 'stripe',
    what: 'charge.failed',
    body: stripe('charge.failed', { id: 'ch_1', amount: 500, currency: 'jpy', failure_message: 'No funds' }, false),
    topic: 'charges',
    content:
      '❌ A charge failed: **JPY 500** (No funds) (test mode)\n[ch\\_1](https://dashboard.stripe.com/test/payments/ch_1)',
  },
  {
    service: 'stripe',
    what: 'customer.created',
    body: stripe('customer.created', { id: 'cus_1', name: 'Acme', email: 'acme@example.com' }),
    topic: 'customers',
    content: '👤 A customer was added for Acme\n[cus\\_1](https://dashboard.stripe.com/customers/cus_1)',
  },
  ...Object.entries(WORDS).map(([what, [topic, words]]): Sample => {
    return { service: 'stripe', what, body: stripe(what, { id: 'xx_1' }), topic, content: `${words}\n\`xx_1\`` }
  }),
  {
    service: 'stripe',
    what: 'charge.refunded',
    body: stripe('charge.refunded', { id: 'ch_2', amount: 500, amount_refunded: 200, currency: 'usd' }),
    topic: 'charges',
    content: '↩️ A charge was refunded: **USD 2\\.00**\n[ch\\_2](https://dashboard.stripe.com/payments/ch_2)',
  },
]
