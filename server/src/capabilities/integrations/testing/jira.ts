import { hmac, type Sample, type Signer } from './sample.ts'

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
const ISSUE_LINK = `[RKT\\-1 It leaks](${SITE}/browse/RKT-1)`
const richTextDocument = {
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

export const SAMPLES: readonly Sample[] = [
  {
    service: 'jira',
    what: 'jira:issue_created',
    body: { webhookEvent: 'jira:issue_created', user: ann, issue: jiraIssue },
    topic: 'RKT-1: It leaks',
    content: `Ann created ${ISSUE_LINK} for Bob \`Bug\` \`High\` \`To Do\`\n\n\`\`\`quote\nAt the seam\n\`\`\``,
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
    content: `Ann changed ${ISSUE_LINK}:\n* status: \`To Do\` → \`Done\`\n* assignee: – → \`Bob\`\n* the description`,
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
    body: { webhookEvent: 'comment_created', issue: jiraIssue, comment: { author: ann, body: richTextDocument } },
    topic: 'RKT-1: It leaks',
    content: `Ann commented on ${ISSUE_LINK}:\n\n\`\`\`quote\nLooks **bad** @Ann\n\`\`\``,
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
    content: `Bob commented on ${ISSUE_LINK}:\n\n\`\`\`quote\nLooks bad\n\`\`\``,
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
    content: `Ann edited a comment on ${ISSUE_LINK}:\n\n\`\`\`quote\nLooks good\n\`\`\``,
  },
  {
    service: 'jira',
    what: 'jira:issue_updated of an edited comment without the type',
    body: {
      webhookEvent: 'jira:issue_updated',
      user: ann,
      issue: jiraIssue,
      comment: {
        author: { displayName: 'Bob' },
        updateAuthor: ann,
        body: 'Looks good',
        created: '2026-11-23T10:00:00.000+0000',
        updated: '2026-11-23T10:05:00.000+0000',
      },
    },
    topic: 'RKT-1: It leaks',
    content: `Ann edited a comment on ${ISSUE_LINK}:\n\n\`\`\`quote\nLooks good\n\`\`\``,
  },
  {
    service: 'jira',
    what: 'jira:issue_updated of a new comment without the type',
    body: {
      webhookEvent: 'jira:issue_updated',
      user: ann,
      issue: jiraIssue,
      comment: {
        author: { displayName: 'Bob' },
        body: 'Looks bad',
        created: '2026-11-23T10:00:00.000+0000',
        updated: '2026-11-23T10:00:00.000+0000',
      },
    },
    topic: 'RKT-1: It leaks',
    content: `Bob commented on ${ISSUE_LINK}:\n\n\`\`\`quote\nLooks bad\n\`\`\``,
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
    content: `Ann deleted a comment on ${ISSUE_LINK}.`,
  },
  {
    service: 'jira',
    what: "comment_created in Jira's markup",
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
      `Ann commented on ${ISSUE_LINK}:\n\n\`\`\`\`quote\n**exercise** \`this\`, @Carl \\*C\\* and @Ann and @somebody\n\n` +
      '```python\ndef f():\n    pass\n```\n\n1. [the docs](https://a.example/)\n   1. \\@all\n````',
  },
  {
    service: 'jira',
    what: 'comment_updated',
    body: { webhookEvent: 'comment_updated', issue: jiraIssue, comment: { author: ann, body: 'Better' } },
    topic: 'RKT-1: It leaks',
    content: `Ann edited a comment on ${ISSUE_LINK}:\n\n\`\`\`quote\nBetter\n\`\`\``,
  },
  {
    service: 'jira',
    what: 'comment_deleted',
    body: { webhookEvent: 'comment_deleted', issue: jiraIssue, comment: { author: ann, body: 'Better' } },
    topic: 'RKT-1: It leaks',
    content: `Ann deleted a comment on ${ISSUE_LINK}.`,
  },
  {
    service: 'jira',
    what: 'sprint_started',
    body: { webhookEvent: 'sprint_started', sprint: { id: 4, name: 'Sprint 4', state: 'active', goal: 'Fly' } },
    topic: 'Sprint 4',
    content: '🏁 The sprint started: Sprint 4\n\n```quote\nFly\n```',
  },
  {
    service: 'jira',
    what: 'sprint_closed',
    body: { webhookEvent: 'sprint_closed', sprint: { id: 4, name: 'Sprint 4', state: 'closed', goal: null } },
    topic: 'Sprint 4',
    content: '🏁 The sprint ended: Sprint 4',
  },
  {
    service: 'jira',
    what: 'jira:version_released',
    body: { webhookEvent: 'jira:version_released', version: { id: '7', name: '1.0', description: 'First' } },
    topic: '1.0',
    content: '📦 The version 1\\.0 was released.\n\n```quote\nFirst\n```',
  },
]

export const sign: Signer = (body, secret) => ({ 'x-hub-signature': `sha256=${hmac(body, secret)}` })
