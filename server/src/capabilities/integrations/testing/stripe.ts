import { hmac, type Sample } from './sample.ts'

const SITE = 'https://office.example'
const DASHBOARD = 'https://dashboard.stripe.com'

const stripeEvent = (type: string, object: object, livemode = true, before: object = {}): object => ({
  id: 'evt_1',
  object: 'event',
  api_version: '2026-01-01',
  created: 1_700_000_000,
  livemode,
  type,
  data: { object, ...before },
})

const EVENT_TEXTS: Readonly<Record<string, readonly [topic: string, words: string]>> = {
  'charge.succeeded': ['charges', '✅ A charge succeeded'],
  'charge.refunded': ['charges', '↩️ A charge was refunded'],
  'charge.dispute.created': ['disputes', '⚠️ A charge is disputed'],
  'charge.dispute.closed': ['disputes', 'ℹ️ A dispute was closed'],
  'checkout.session.completed': ['checkouts', '✅ A checkout was completed'],
  'checkout.session.expired': ['checkouts', '⏳ A checkout expired'],
  'customer.deleted': ['customers', '🗑️ A customer was deleted'],
  'customer.subscription.created': ['subscriptions', '✅ A subscription started'],
  'customer.subscription.updated': ['subscriptions', '✏️ A subscription changed'],
  'customer.subscription.paused': ['subscriptions', '⏸️ A subscription was paused'],
  'customer.subscription.resumed': ['subscriptions', '▶️ A subscription was resumed'],
  'customer.subscription.deleted': ['subscriptions', '🚫 A subscription ended'],
  'customer.subscription.trial_will_end': ['subscriptions', '⏳ A trial is about to end'],
  'invoice.finalized': ['invoices', '🧾 An invoice was finalized'],
  'invoice.payment_failed': ['invoices', '❌ The payment for an invoice failed'],
  'invoice.payment_action_required': ['invoices', '⚠️ The payment for an invoice requires action by the customer'],
  'invoice.voided': ['invoices', '🚫 An invoice was voided'],
  'payment_intent.succeeded': ['payments', '✅ A payment succeeded'],
  'payment_intent.payment_failed': ['payments', '❌ A payment failed'],
  'payout.paid': ['payouts', '✅ A payout was paid'],
  'payout.failed': ['payouts', '❌ A payout failed'],
  'refund.failed': ['refunds', '❌ A refund failed'],
  'charge.dispute.funds_reinstated': ['disputes', '✅ Disputed funds were reinstated'],
  'charge.dispute.funds_withdrawn': ['disputes', '↩️ Disputed funds were withdrawn'],
  'checkout.session.async_payment_failed': ['checkouts', '❌ The payment for a checkout failed'],
  'checkout.session.async_payment_succeeded': ['checkouts', '✅ The payment for a checkout succeeded'],
  'invoice.marked_uncollectible': ['invoices', '🚫 An invoice was marked as uncollectible'],
  'invoice.payment_succeeded': ['invoices', '✅ The payment for an invoice succeeded'],
  'payment_intent.canceled': ['payments', '🚫 A payment was canceled'],
  'radar.early_fraud_warning.created': ['fraud', '⚠️ A charge may be fraudulent'],
}

export const SAMPLES: readonly Sample[] = [
  {
    service: 'stripe',
    what: 'invoice.paid',
    body: stripeEvent('invoice.paid', {
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
    content: `✅ [An invoice was paid](${SITE}/invoice): **EUR 1\\,234\\.56** for Acme\n\`A-1\` \`paid\` [in\\_1](https://dashboard.stripe.com/invoices/in_1)`,
  },
  {
    service: 'stripe',
    what: 'charge.failed',
    body: stripeEvent(
      'charge.failed',
      { id: 'ch_1', amount: 500, currency: 'jpy', failure_message: 'No funds' },
      false,
    ),
    topic: 'charges',
    content:
      '❌ A charge failed: **JPY 500** (No funds) (test mode)\n[ch\\_1](https://dashboard.stripe.com/test/payments/ch_1)',
  },
  {
    service: 'stripe',
    what: 'customer.created',
    body: stripeEvent('customer.created', { id: 'cus_1', name: 'Acme', email: 'acme@example.com' }),
    topic: 'customers',
    content: '👤 A customer was added: Acme\n[cus\\_1](https://dashboard.stripe.com/customers/cus_1)',
  },
  ...Object.entries(EVENT_TEXTS).map(([what, [topic, words]]): Sample => {
    return { service: 'stripe', what, body: stripeEvent(what, { id: 'xx_1' }), topic, content: `${words}\n\`xx_1\`` }
  }),
  {
    service: 'stripe',
    what: 'charge.refunded',
    body: stripeEvent('charge.refunded', { id: 'ch_2', amount: 500, amount_refunded: 200, currency: 'usd' }),
    topic: 'charges',
    content: '↩️ A charge was refunded: **USD 2\\.00**\n[ch\\_2](https://dashboard.stripe.com/payments/ch_2)',
  },
  {
    service: 'stripe',
    what: 'charge.failed of a customer',
    body: stripeEvent('charge.failed', {
      id: 'ch_3',
      amount: 100_000,
      currency: 'huf',
      customer: { id: 'cus_1', object: 'customer' },
      billing_details: { name: null, email: 'ann@example.com' },
      description: 'Two *tickets*',
      failure_message: null,
    }),
    topic: 'charges',
    content:
      `❌ A charge failed: **HUF 1\\,000\\.00** for [ann\\@example\\.com](${DASHBOARD}/customers/cus_1)\n` +
      `Two \\*tickets\\*\n[ch\\_3](${DASHBOARD}/payments/ch_3)`,
  },
  {
    service: 'stripe',
    what: 'invoice.payment_failed of a customer',
    body: stripeEvent('invoice.payment_failed', {
      id: 'in_2',
      amount_due: 2_500,
      currency: 'eur',
      customer: 'cus_1',
      customer_name: '',
    }),
    topic: 'invoices',
    content:
      `❌ The payment for an invoice failed: **EUR 25\\.00** for [cus\\_1](${DASHBOARD}/customers/cus_1)\n` +
      `[in\\_2](${DASHBOARD}/invoices/in_2)`,
  },
  {
    service: 'stripe',
    what: 'checkout.session.completed by a guest',
    body: stripeEvent('checkout.session.completed', {
      id: 'cs_1',
      amount_total: 1_250,
      currency: 'kwd',
      customer: null,
      customer_details: { name: 'Ann', email: 'ann@example.com' },
    }),
    topic: 'checkouts',
    content: '✅ A checkout was completed: **KWD 1\\.250** for Ann\n`cs_1`',
  },
  {
    service: 'stripe',
    what: 'charge.dispute.created of a charge',
    body: stripeEvent('charge.dispute.created', {
      id: 'du_1',
      amount: 2_200,
      currency: 'usd',
      charge: 'ch_1',
      payment_intent: 'pi_1',
      evidence: { customer_name: 'Ann', customer_email_address: null },
      reason: 'product_not_received',
      status: 'needs_response',
    }),
    topic: 'disputes',
    content:
      `⚠️ A charge is disputed: **USD 22\\.00** for Ann\n\`needs_response\` \`product_not_received\` ` +
      `[du\\_1](${DASHBOARD}/disputes/du_1) of [ch\\_1](${DASHBOARD}/payments/ch_1)`,
  },
  {
    service: 'stripe',
    what: 'refund.failed of a payment',
    body: stripeEvent('refund.failed', {
      id: 're_1',
      amount: 500,
      currency: 'isk',
      charge: null,
      payment_intent: { id: 'pi_1', object: 'payment_intent' },
      failure_reason: 'expired_or_canceled_card',
      status: 'failed',
    }),
    topic: 'refunds',
    content: `❌ A refund failed: **ISK 5\\.00**\n\`failed\` \`expired_or_canceled_card\` \`re_1\` of [pi\\_1](${DASHBOARD}/payments/pi_1)`,
  },
  {
    service: 'stripe',
    what: 'refund.created in a currency with obsolete hundredths',
    body: stripeEvent('refund.created', {
      id: 're_2',
      amount: 5_000,
      currency: 'ugx',
      charge: 'ch_1',
      status: 'succeeded',
    }),
    topic: 'refunds',
    content: `↩️ A refund was created: **UGX 50\\.00**\n\`succeeded\` \`re_2\` of [ch\\_1](${DASHBOARD}/payments/ch_1)`,
  },
  {
    service: 'stripe',
    what: 'refund.failed in a currency without hundredths',
    body: stripeEvent('refund.failed', { id: 're_3', amount: 5_000, currency: 'mga', status: 'failed' }),
    topic: 'refunds',
    content: '❌ A refund failed: **MGA 5\\,000**\n`failed` `re_3`',
  },
  {
    service: 'stripe',
    what: 'invoice.upcoming without an ID',
    body: stripeEvent('invoice.upcoming', { amount_due: 900, currency: 'eur', customer: 'cus_1', number: null }),
    topic: 'invoices',
    content: `⏳ An invoice is upcoming: **EUR 9\\.00** for [cus\\_1](${DASHBOARD}/customers/cus_1)`,
  },
  {
    service: 'stripe',
    what: 'customer.subscription.created with only a plan',
    body: stripeEvent('customer.subscription.created', {
      id: 'sub_1',
      customer: 'cus_1',
      plan: {
        id: 'gold',
        amount: 2_000,
        currency: 'aud',
        interval: 'month',
        interval_count: 1,
        name: 'Gold *Special*',
      },
      quantity: 1,
      status: 'active',
    }),
    topic: 'subscriptions',
    content:
      `✅ A subscription started for [cus\\_1](${DASHBOARD}/customers/cus_1)\n` +
      `\`active\` [sub\\_1](${DASHBOARD}/subscriptions/sub_1)\n* Gold \\*Special\\*: **AUD 20\\.00** per month`,
  },
  {
    service: 'stripe',
    what: 'customer.subscription.updated with prices',
    body: stripeEvent(
      'customer.subscription.updated',
      {
        id: 'sub_1',
        customer: 'cus_1',
        cancel_at_period_end: true,
        plan: { id: 'price_1', amount: 900, currency: 'eur', interval: 'year' },
        items: {
          data: [
            {
              id: 'si_1',
              quantity: 800,
              plan: { id: 'price_1', amount: 900, currency: 'eur', interval: 'year' },
              price: {
                id: 'price_1',
                nickname: 'flat',
                unit_amount: 900,
                unit_amount_decimal: '900',
                currency: 'eur',
                recurring: { interval: 'month', interval_count: 3 },
                product: 'prod_1',
              },
            },
            {
              quantity: null,
              price: {
                id: 'price_2',
                nickname: null,
                unit_amount: null,
                unit_amount_decimal: '0.5',
                currency: 'eur',
                recurring: { interval: 'year', interval_count: 1 },
                product: 'prod_2',
              },
            },
            { price: { id: 'price_3', nickname: 'By use', unit_amount: null, currency: 'eur', recurring: null } },
          ],
        },
        status: 'trialing',
      },
      true,
      { previous_attributes: { status: 'active', trial_end: null } },
    ),
    topic: 'subscriptions',
    content:
      `✏️ A subscription changed for [cus\\_1](${DASHBOARD}/customers/cus_1) (was \`active\`) (ends after the current period)\n` +
      `\`trialing\` [sub\\_1](${DASHBOARD}/subscriptions/sub_1)\n* 800 × flat: **EUR 9\\.00** every 3 months\n` +
      `* [prod\\_2](${DASHBOARD}/products/prod_2): **EUR 0\\.005** per year\n* By use`,
  },
]

/** @param time when the request was signed, in UNIX seconds */
export const sign = (body: string, secret: string, time = Math.floor(Date.now() / 1000)): Record<string, string> => ({
  'stripe-signature': `t=${time},v0=x,v1=${hmac(`${time}.${body}`, secret)}`,
})
