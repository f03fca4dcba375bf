import type { Sample } from './sample.ts'

const SITE = 'https://office.example'

const jiraIssue = {
  id: '10001',
  self: `${SITE}/rest/api/2/issue/10001`,
  key: 'RKT-1',
  fields: {
    summary: 'It leaks',
    description: 'At the seam',
    status: { name: 'To Do' },
    priority: { name: 'High' },
    issuetype: { name: 'Bug' },
    assignee: { displayName: 'Bob' },
  },
}
const ann = { displayName: 'Ann' }
const TICKET = `[RKT\\-1 It leaks](${SITE}/browse/RKT-1)`
const document = {
  type: 'doc',
  version: 1,
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Looks ' },
        { type: 'text', text: 'bad' },
      ],
    },
  ],
}

const incident = {
  id: 'PX',
  type: 'incident',
  html_url: `${SITE}/incidents/PX`,
  number: 12,
  status: 'triggered',
  title: 'The site is down',
  service: { summary: 'Shop', html_url: `${SITE}/s` },
  assignees: [{ summary: 'Ann' }, { summary: 'Bob' }],
  urgency: 'high',
  priority: { summary: 'P1' },
}
const INCIDENT = `[\\#12 The site is down](${SITE}/incidents/PX)\n\`Shop\` \`high\` \`P1\` · assigned to Ann, Bob`

const stripe = (type: string, object: object, livemode = true): object => ({
  id: 'evt_1',
  object: 'event',
  api_version: '2026-01-01',
  created: 1_700_000_000,
  livemode,
  type,
  data: { object },
})

export const OFFICES: readonly Sample[] = [
  {
    service: 'jira',
    what: 'jira:issue_created',
    body: { webhookEvent: 'jira:issue_created', user: ann, issue: jiraIssue },
    topic: 'RKT-1: It leaks',
    content: `Ann created ${TICKET} for Bob \`Bug\` \`High\` \`To Do\`\n\n\`\`\`quote\nAt the seam\n\`\`\``,
  },
  {
    service: 'jira',
    what: 'jira:issue_updated',
    body: {
      webhookEvent: 'jira:issue_updated',
      user: ann,
      issue: jiraIssue,
      changelog: {
        items: [
          { field: 'status', fromString: 'To Do', toString: 'Done' },
          { field: 'assignee', fromString: null, toString: 'Bob' },
          { field: 'description', fromString: 'a', toString: 'b' },
        ],
      },
    },
    topic: 'RKT-1: It leaks',
    content: `Ann changed ${TICKET}:\n* status: \`To Do\` → \`Done\`\n* assignee: – → \`Bob\`\n* the description`,
  },
  {
    service: 'jira',
    what: 'jira:issue_deleted',
    body: { webhookEvent: 'jira:issue_deleted', user: ann, issue: jiraIssue },
    topic: 'RKT-1: It leaks',
    content: 'Ann deleted RKT\\-1 It leaks.',
  },
  {
    service: 'jira',
    what: 'comment_created',
    body: { webhookEvent: 'comment_created', issue: jiraIssue, comment: { author: ann, body: document } },
    topic: 'RKT-1: It leaks',
    content: `Ann commented on ${TICKET}:\n\n\`\`\`quote\nLooks bad\n\`\`\``,
  },
  {
    service: 'pagerduty',
    what: 'incident.triggered',
    body: {
      event: { id: '1', event_type: 'incident.triggered', resource_type: 'incident', agent: null, data: incident },
    },
    topic: 'The site is down',
    content: `🔥 Triggered: ${INCIDENT}`,
  },
  {
    service: 'pagerduty',
    what: 'incident.resolved',
    body: {
      event: { event_type: 'incident.resolved', agent: { summary: 'Ann', html_url: `${SITE}/ann` }, data: incident },
    },
    topic: 'The site is down',
    content: `✅ Resolved by [Ann](${SITE}/ann): ${INCIDENT}`,
  },
  {
    service: 'pagerduty',
    what: 'incident.annotated',
    body: {
      event: {
        event_type: 'incident.annotated',
        agent: { summary: 'Ann' },
        data: { content: 'On it', incident: { summary: 'The site is down', html_url: `${SITE}/i` } },
      },
    },
    topic: 'The site is down',
    content: `📝 Note by Ann on [The site is down](${SITE}/i):\n\n\`\`\`quote\nOn it\n\`\`\``,
  },
  {
    service: 'pagerduty',
    what: 'pagey.ping',
    body: { event: { event_type: 'pagey.ping', agent: null, data: { message: 'Hello' } } },
    topic: 'PagerDuty',
    content: 'PagerDuty is connected.',
  },
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
    content: `✅ [An invoice was paid](${SITE}/invoice): **EUR 1\\,234\\.56** for acme\\@example\\.com\n\`A-1\` \`paid\` \`in_1\``,
  },
  {
    service: 'stripe',
    what: 'charge.failed',
    body: stripe('charge.failed', { id: 'ch_1', amount: 500, currency: 'jpy', failure_message: 'No funds' }, false),
    topic: 'charges',
    content: '❌ A charge failed: **JPY 500** (No funds) (test mode)\n`ch_1`',
  },
  {
    service: 'stripe',
    what: 'customer.created',
    body: stripe('customer.created', { id: 'cus_1', name: 'Acme', email: 'acme@example.com' }),
    topic: 'customers',
    content: '👤 A customer was added for Acme\n`cus_1`',
  },
  {
    service: 'slack_incoming',
    what: 'a text',
    body: { channel: '#deploys', text: 'Deploy *done* <https://a.example|here> by <@U1|ann>' },
    topic: 'deploys',
    content: 'Deploy **done** [here](https://a.example) by ann',
  },
  {
    service: 'slack_incoming',
    what: 'blocks and attachments',
    body: {
      text: 'for notifications',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Release 1.0' } },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: 'All _well_' },
          fields: [{ type: 'mrkdwn', text: '*Env:* prod' }],
        },
        { type: 'divider' },
        { type: 'context', elements: [{ type: 'mrkdwn', text: 'by CI' }] },
      ],
      attachments: [
        { title: 'Log', title_link: `${SITE}/log`, text: 'ok', fields: [{ title: 'Took', value: 5, short: true }] },
      ],
    },
    topic: 'Slack',
    content: `**Release 1\\.0**\n\nAll *well*\n**Env:** prod\n\n---\n\nby CI\n\n**[Log](${SITE}/log)**\nok\n**Took**: 5`,
  },
  {
    service: 'json',
    what: 'a message',
    body: { topic: 'backups', content: 'The backup **succeeded**.' },
    topic: 'backups',
    content: 'The backup **succeeded**.',
  },
  {
    service: 'json',
    what: 'anything',
    body: { level: 1, names: ['a'] },
    topic: 'JSON',
    content: '```json\n{\n  "level": 1,\n  "names": [\n    "a"\n  ]\n}\n```',
  },
]
