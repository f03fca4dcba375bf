import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import { documentToMarkdown } from '../../../platform/markdown/jira/document.ts'
import { jiraToMarkdown } from '../../../platform/markdown/jira/wiki.ts'
import {
  headerOf,
  payloadOf,
  readEvent,
  hmacOf,
  isValidHmac,
  type Integration,
  type Readers,
  type ServiceMessage,
} from './requests.ts'
import { code, isGiven, link, bulletList, toSingleLine, plainText, quote } from './text.ts'

const optionalText = z.optional(z.nullable(string))
/** Mentions contain the account ID in Jira Cloud and the name in Jira Server. */
const optionalUser = z.optional(
  z.nullable(z.object({ displayName: string, accountId: optionalText, name: optionalText, key: optionalText })),
)
const namedField = z.optional(z.nullable(z.object({ name: string })))

const payload = z.object({ webhookEvent: string, user: optionalUser })

const issue = z.object({
  key: string,
  self: optionalText,
  fields: z.object({
    summary: string,
    description: z.optional(z.unknown()),
    status: namedField,
    priority: namedField,
    issuetype: namedField,
    assignee: optionalUser,
    reporter: optionalUser,
    creator: optionalUser,
  }),
})

const comment = z.object({
  author: optionalUser,
  updateAuthor: optionalUser,
  body: z.optional(z.unknown()),
  created: optionalText,
  updated: optionalText,
})

const issueEvent = z.object({
  user: optionalUser,
  issue,
  issue_event_type_name: optionalText,
  /** Older servers report a comment as a change of its issue. */
  comment: z.optional(z.nullable(comment)),
  changelog: z.optional(
    z.object({
      items: z.array(z.object({ field: string, fromString: optionalText, toString: z.optional(z.unknown()) })),
    }),
  ),
})

/** Jira Server omits the issue from a comment event and also reports the comment as a change of the issue. */
const commentEvent = z.object({ issue: z.optional(z.nullable(issue)), comment })
const sprintEvent = z.object({ sprint: z.object({ name: string, goal: optionalText }) })
const versionEvent = z.object({ version: z.object({ name: string, description: optionalText }) })

const SAMPLE_PAYLOAD: z.input<typeof issueEvent> & z.input<typeof payload> = {
  webhookEvent: 'jira:issue_created',
  user: { displayName: 'Ann' },
  issue: {
    key: 'TEST-1',
    self: 'https://jira.example/rest/api/2/issue/10001',
    fields: {
      summary: 'A test of the connection',
      description: 'There is no such issue.',
      status: { name: 'To Do' },
      priority: { name: 'Low' },
      issuetype: { name: 'Task' },
      assignee: null,
    },
  },
}

type Issue = z.output<typeof issue>

const ISSUE_EVENT_READERS: Readonly<Record<string, (body: IssueEvent) => ServiceMessage | undefined>> = {
  'jira:issue_created': (event) => {
    const { fields } = event.issue
    const facts = [fields.issuetype?.name, fields.priority?.name, fields.status?.name].flatMap((one) =>
      isGiven(one) ? [code(one)] : [],
    )
    const assignee = isGiven(fields.assignee) ? ` for ${plainText(fields.assignee.displayName)}` : ''
    return issueMessage(
      event.issue,
      `${actorText(event.user)} created ${linkToIssue(event.issue)}${assignee} ${facts.join(' ')}`.trim() +
        quoteOf(fields.description, event),
    )
  },
  'jira:issue_updated': (event) => {
    const items = (event.changelog?.items ?? []).map(({ field, fromString, toString }) => {
      const to = typeof toString === 'string' ? toString : ''
      return field === 'description'
        ? 'the description'
        : `${plainText(field)}: ${code(fromString ?? '') || '–'} → ${code(to) || '–'}`
    })
    const { comment: on, issue_event_type_name: name } = event
    const said = quoteOf(on?.body, event)
    if (items.length > 0)
      return issueMessage(
        event.issue,
        `${actorText(event.user)} changed ${linkToIssue(event.issue)}:${bulletList(items)}${said}`,
      )
    if (name === 'issue_comment_deleted')
      return issueMessage(
        event.issue,
        `${actorText(event.user ?? on?.author)} deleted a comment on ${linkToIssue(event.issue)}.`,
      )
    if (said === '') return undefined
    // Older servers do not name the type of the event.
    const isEdited = name === 'issue_comment_edited' || (name !== 'issue_commented' && on?.created !== on?.updated)
    return isEdited
      ? issueMessage(
          event.issue,
          `${actorText(on?.updateAuthor ?? event.user)} edited a comment on ${linkToIssue(event.issue)}:${said}`,
        )
      : issueMessage(
          event.issue,
          `${actorText(on?.author ?? event.user)} commented on ${linkToIssue(event.issue)}:${said}`,
        )
  },
  'jira:issue_deleted': (event) =>
    issueMessage(
      event.issue,
      `${actorText(event.user)} deleted ${plainText(`${event.issue.key} ${event.issue.fields.summary}`)}.`,
    ),
}

type IssueEvent = z.output<typeof issueEvent>

const COMMENT_VERBS: Readonly<Record<string, string>> = {
  comment_created: 'commented on',
  comment_updated: 'edited a comment on',
  comment_deleted: 'deleted a comment on',
}

const READERS: Readers = {
  ...mapReaders(ISSUE_EVENT_READERS, (read) => (request) => read(payloadOf(request, issueEvent))),
  ...mapReaders(COMMENT_VERBS, (verb, event) => (request) => {
    const body = payloadOf(request, commentEvent)
    const { issue: one, comment: said } = body
    if (!isGiven(one)) return undefined
    const words = event === 'comment_deleted' ? '' : quoteOf(said.body, body)
    const who = actorText(said.updateAuthor ?? said.author)
    return issueMessage(one, `${who} ${verb} ${linkToIssue(one)}${words === '' ? '.' : ':'}${words}`)
  }),
  ...mapReaders(
    { sprint_started: '🏁 The sprint started', sprint_closed: '🏁 The sprint ended' },
    (words) => (request) => {
      const { name, goal } = payloadOf(request, sprintEvent).sprint
      return { topic: toSingleLine(name), content: `${words}: ${plainText(name)}${quote(goal)}` }
    },
  ),
  'jira:version_released': (request) => {
    const { name, description } = payloadOf(request, versionEvent).version
    return {
      topic: toSingleLine(name),
      content: `📦 The version ${plainText(name)} was released.${quote(description)}`,
    }
  },
}

function mapReaders<Value>(
  values: Readonly<Record<string, Value>>,
  readerOf: (value: Value, event: string) => Readers[string],
): Readers {
  return Object.fromEntries(Object.entries(values).map(([event, value]) => [event, readerOf(value, event)]))
}

export const integration: Integration = {
  read: (request) => readEvent(READERS, payloadOf(request, payload).webhookEvent, request),
  isSigned: (request, secret) =>
    isValidHmac(headerOf(request, 'X-Hub-Signature').replace(/^sha256=/, ''), request.body, secret),
  sign: (body, secret) => ({ 'x-hub-signature': `sha256=${hmacOf(body, secret)}` }),
  sample: { body: SAMPLE_PAYLOAD },
}

function issueMessage({ key, fields }: Issue, content: string): ServiceMessage {
  return { topic: `${key}: ${toSingleLine(fields.summary)}`, content }
}

function actorText(given: z.output<typeof optionalUser>): string {
  return plainText(given?.displayName ?? 'Someone')
}

function linkToIssue({ key, self, fields }: Issue): string {
  const url =
    isGiven(self) && URL.canParse(self)
      ? new URL(`/browse/${encodeURIComponent(key.toWellFormed())}`, self).href
      : undefined
  return link(`${key} ${fields.summary}`, url)
}

interface EventSubject {
  readonly user?: z.output<typeof optionalUser>
  readonly issue?: Issue | null | undefined
  readonly comment?: z.output<typeof comment> | null | undefined
}

/** Replaces account IDs in mentions with the names that the payload contains. */
function quoteOf(body: unknown, { user: actor, issue: subject, comment: remark }: EventSubject): string {
  const { assignee, reporter, creator } = subject?.fields ?? {}
  const people = [actor, remark?.author, remark?.updateAuthor, assignee, reporter, creator].filter(isGiven)
  const nameOf = (account: string): string | undefined =>
    people.find(({ accountId, name, key }) => [accountId, name, key].includes(account))?.displayName
  return quote(typeof body === 'string' ? jiraToMarkdown(body, nameOf) : documentToMarkdown(body, nameOf))
}
