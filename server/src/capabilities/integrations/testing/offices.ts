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
        { type: 'text', text: 'bad', marks: [{ type: 'strong' }] },
        { type: 'text', text: ' ' },
        { type: 'mention', attrs: { id: '5b10', text: '@Ann' } },
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

const ofIncident = { incident: { summary: 'The site is down', html_url: `${SITE}/i` } }

const INCIDENTS: Readonly<Record<string, string>> = {
  'incident.acknowledged': '👀 Acknowledged',
  'incident.unacknowledged': '🔥 No longer acknowledged',
  'incident.reassigned': '👤 Reassigned',
  'incident.delegated': '👤 Delegated',
  'incident.escalated': '🔺 Escalated',
  'incident.priority_updated': '🔺 Changed its priority',
  'incident.reopened': '🔥 Reopened',
  'incident.service_updated': '🔧 Moved to another service',
}

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
    content: `Ann commented on ${TICKET}:\n\n\`\`\`quote\nLooks **bad** @Ann\n\`\`\``,
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
  ...Object.entries(INCIDENTS).map(([what, words]): Sample => {
    const body = { event: { event_type: what, agent: null, data: incident } }
    return { service: 'pagerduty', what, body, topic: 'The site is down', content: `${words}: ${INCIDENT}` }
  }),
  {
    service: 'pagerduty',
    what: 'incident.status_update_published',
    body: {
      event: {
        event_type: 'incident.status_update_published',
        agent: { summary: 'Ann' },
        data: {
          ...ofIncident,
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
        data: { ...ofIncident, user: { summary: 'Bob' }, message: 'Please help', state: 'pending' },
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
        data: { ...ofIncident, user: { summary: 'Bob' }, message: '', state: 'joined' },
      },
    },
    topic: 'The site is down',
    content: `👤 Bob joined: [The site is down](${SITE}/i)`,
  },
  {
    service: 'jira',
    what: 'jira:issue_updated',
    body: {
      webhookEvent: 'jira:issue_updated',
      issue_event_type_name: 'issue_commented',
      user: ann,
      issue: jiraIssue,
      comment: { author: { displayName: 'Bob' }, body: 'Looks bad' },
    },
    topic: 'RKT-1: It leaks',
    content: `Bob commented on ${TICKET}:\n\n\`\`\`quote\nLooks bad\n\`\`\``,
  },
  {
    service: 'jira',
    what: 'jira:issue_updated of an edited comment',
    body: {
      webhookEvent: 'jira:issue_updated',
      issue_event_type_name: 'issue_comment_edited',
      user: ann,
      issue: jiraIssue,
      comment: { author: { displayName: 'Bob' }, updateAuthor: ann, body: 'Looks good' },
    },
    topic: 'RKT-1: It leaks',
    content: `Ann edited a comment on ${TICKET}:\n\n\`\`\`quote\nLooks good\n\`\`\``,
  },
  {
    service: 'jira',
    what: 'jira:issue_updated of a deleted comment',
    body: {
      webhookEvent: 'jira:issue_updated',
      issue_event_type_name: 'issue_comment_deleted',
      user: ann,
      issue: jiraIssue,
      comment: { author: { displayName: 'Bob' }, body: 'Looks good' },
    },
    topic: 'RKT-1: It leaks',
    content: `Ann deleted a comment on ${TICKET}.`,
  },
  {
    service: 'jira',
    what: 'comment_created in the markup of Jira',
    body: {
      webhookEvent: 'comment_created',
      issue: {
        ...jiraIssue,
        fields: { ...jiraIssue.fields, reporter: { displayName: 'Carl *C*', accountId: '5b10:a' } },
      },
      comment: {
        author: { ...ann, name: 'ann' },
        body:
          '*exercise* {{this}}, [~accountid:5b10:a] and [~ann] and [~accountid:9]\r\n\r\n{code:python}\r\ndef f():\r\n    pass\r\n{code}\r\n' +
          '# [the docs|https://a.example]\r\n## @*all*',
      },
    },
    topic: 'RKT-1: It leaks',
    content:
      `Ann commented on ${TICKET}:\n\n\`\`\`\`quote\n**exercise** \`this\`, @Carl \\*C\\* and @Ann and @somebody\n\n` +
      '```python\ndef f():\n    pass\n```\n\n1. [the docs](https://a.example/)\n   1. \\@all\n````',
  },
  {
    service: 'jira',
    what: 'comment_updated',
    body: { webhookEvent: 'comment_updated', issue: jiraIssue, comment: { author: ann, body: 'Better' } },
    topic: 'RKT-1: It leaks',
    content: `Ann edited a comment on ${TICKET}:\n\n\`\`\`quote\nBetter\n\`\`\``,
  },
  {
    service: 'jira',
    what: 'comment_deleted',
    body: { webhookEvent: 'comment_deleted', issue: jiraIssue, comment: { author: ann, body: 'Better' } },
    topic: 'RKT-1: It leaks',
    content: `Ann deleted a comment on ${TICKET}.`,
  },
  {
    service: 'jira',
    what: 'sprint_started',
    body: { webhookEvent: 'sprint_started', sprint: { id: 4, name: 'Sprint 4', state: 'active', goal: 'Fly' } },
    topic: 'Sprint 4',
    content: '🏁 The sprint began: Sprint 4\n\n```quote\nFly\n```',
  },
  {
    service: 'jira',
    what: 'sprint_closed',
    body: { webhookEvent: 'sprint_closed', sprint: { id: 4, name: 'Sprint 4', state: 'closed', goal: null } },
    topic: 'Sprint 4',
    content: '🏁 The sprint is over: Sprint 4',
  },
  {
    service: 'jira',
    what: 'jira:version_released',
    body: { webhookEvent: 'jira:version_released', version: { id: '7', name: '1.0', description: 'First' } },
    topic: '1.0',
    content: '📦 The version 1\\.0 was released.\n\n```quote\nFirst\n```',
  },
]
