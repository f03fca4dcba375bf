import { hmac, type Sample, type Signer } from './sample.ts'

const SITE = 'https://office.example'
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
const INCIDENT_TEXT = `[\\#12 The site is down](${SITE}/incidents/PX)\n\`Shop\` \`high\` \`P1\` · assigned to Ann, Bob`
const incidentReference = { incident: { summary: 'The site is down', html_url: `${SITE}/i` } }
const INCIDENT_EVENT_TEXTS: Readonly<Record<string, string>> = {
  'incident.acknowledged': '👀 Acknowledged',
  'incident.unacknowledged': '🔥 No longer acknowledged',
  'incident.reassigned': '👤 Reassigned',
  'incident.delegated': '👤 Delegated',
  'incident.escalated': '🔺 Escalated',
  'incident.priority_updated': '🔺 Priority changed',
  'incident.reopened': '🔥 Reopened',
  'incident.service_updated': '🔧 Moved to another service',
}

export const SAMPLES: readonly Sample[] = [
  {
    service: 'pagerduty',
    what: 'incident.triggered',
    body: {
      event: { id: '1', event_type: 'incident.triggered', resource_type: 'incident', agent: null, data: incident },
    },
    topic: 'The site is down',
    content: `🔥 Triggered: ${INCIDENT_TEXT}`,
  },
  {
    service: 'pagerduty',
    what: 'incident.resolved',
    body: {
      event: { event_type: 'incident.resolved', agent: { summary: 'Ann', html_url: `${SITE}/ann` }, data: incident },
    },
    topic: 'The site is down',
    content: `✅ Resolved by [Ann](${SITE}/ann): ${INCIDENT_TEXT}`,
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
  ...Object.entries(INCIDENT_EVENT_TEXTS).map(([what, words]): Sample => {
    const body = { event: { event_type: what, agent: null, data: incident } }
    return { service: 'pagerduty', what, body, topic: 'The site is down', content: `${words}: ${INCIDENT_TEXT}` }
  }),
  {
    service: 'pagerduty',
    what: 'incident.status_update_published',
    body: {
      event: {
        event_type: 'incident.status_update_published',
        agent: { summary: 'Ann' },
        data: {
          ...incidentReference,
          id: 'PY',
          message: 'A fix for `a` is\n    *on* its way',
          type: 'incident_status_update',
        },
      },
    },
    topic: 'The site is down',
    content: `📣 Status update by Ann on [The site is down](${SITE}/i):\n\n\`\`\`quote\nA fix for \\\`a\\\` is\n\\*on\\* its way\n\`\`\``,
  },
  {
    service: 'pagerduty',
    what: 'incident.responder.added',
    body: {
      event: {
        event_type: 'incident.responder.added',
        agent: { summary: 'Ann' },
        data: { ...incidentReference, user: { summary: 'Bob' }, message: 'Please help', state: 'pending' },
      },
    },
    topic: 'The site is down',
    content: `👤 Bob was asked by Ann to help with [The site is down](${SITE}/i):\n\n\`\`\`quote\nPlease help\n\`\`\``,
  },
  {
    service: 'pagerduty',
    what: 'incident.responder.replied',
    body: {
      event: {
        event_type: 'incident.responder.replied',
        agent: { summary: 'Bob' },
        data: { ...incidentReference, user: { summary: 'Bob' }, message: '', state: 'joined' },
      },
    },
    topic: 'The site is down',
    content: `👤 Bob joined: [The site is down](${SITE}/i)`,
  },
]

export const sign: Signer = (body, secret) => ({ 'x-pagerduty-signature': `v1=old,v1=${hmac(body, secret)}` })
