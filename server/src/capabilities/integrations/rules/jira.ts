import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import { headerOf, payloadOf, unsupported, type Integration, type ServiceMessage } from './requests.ts'
import { isHmac } from './signatures.ts'
import { code, isGiven, known, link, list, oneLine, plain, quote } from './text.ts'

const text = z.optional(z.nullable(string))
const user = z.optional(z.nullable(z.object({ displayName: string })))
const named = z.optional(z.nullable(z.object({ name: string })))

const payload = z.object({ webhookEvent: string, user })

const issue = z.object({
  key: string,
  self: text,
  fields: z.object({
    summary: string,
    description: z.optional(z.unknown()),
    status: named,
    priority: named,
    issuetype: named,
    assignee: user,
  }),
})

const issueEvent = z.object({
  user,
  issue,
  changelog: z.optional(
    z.object({ items: z.array(z.object({ field: string, fromString: text, toString: z.optional(z.unknown()) })) }),
  ),
})

const commentEvent = z.object({
  issue,
  comment: z.object({ author: user, updateAuthor: user, body: z.optional(z.unknown()) }),
})

type Issue = z.output<typeof issue>

const EVENTS: Readonly<Record<string, (body: IssueEvent) => ServiceMessage | undefined>> = {
  'jira:issue_created': (event) => {
    const { fields } = event.issue
    const facts = [fields.issuetype?.name, fields.priority?.name, fields.status?.name].flatMap((one) =>
      isGiven(one) ? [code(one)] : [],
    )
    const assignee = isGiven(fields.assignee) ? ` for ${plain(fields.assignee.displayName)}` : ''
    return about(
      event.issue,
      `${whoOf(event.user)} created ${linkTo(event.issue)}${assignee} ${facts.join(' ')}`.trim() +
        quote(asText(fields.description)),
    )
  },
  'jira:issue_updated': (event) => {
    const items = (event.changelog?.items ?? []).map(({ field, fromString, toString }) => {
      const to = typeof toString === 'string' ? toString : ''
      return field === 'description'
        ? 'the description'
        : `${plain(field)}: ${code(fromString ?? '') || '–'} → ${code(to) || '–'}`
    })
    return items.length === 0
      ? undefined
      : about(event.issue, `${whoOf(event.user)} changed ${linkTo(event.issue)}:${list(items)}`)
  },
  'jira:issue_deleted': (event) =>
    about(event.issue, `${whoOf(event.user)} deleted ${plain(`${event.issue.key} ${event.issue.fields.summary}`)}.`),
}

type IssueEvent = z.output<typeof issueEvent>

const COMMENT_VERBS: Readonly<Record<string, string>> = {
  comment_created: 'commented on',
  comment_updated: 'edited a comment on',
  comment_deleted: 'deleted a comment on',
}

export const jira: Integration = {
  read(request) {
    const { webhookEvent: event } = payloadOf(request, payload)
    const verb = known(COMMENT_VERBS, event)
    if (verb !== undefined) {
      const { issue: one, comment } = payloadOf(request, commentEvent)
      const who = whoOf(comment.updateAuthor ?? comment.author)
      const said = event === 'comment_deleted' ? '' : quote(asText(comment.body))
      return { ...about(one, `${who} ${verb} ${linkTo(one)}${said === '' ? '.' : ':'}${said}`), event }
    }
    const read = known(EVENTS, event)
    if (read === undefined) throw unsupported(request, event)
    const message = read(payloadOf(request, issueEvent))
    return message && { ...message, event }
  },
  isSigned: (request, secret) =>
    isHmac(headerOf(request, 'X-Hub-Signature').replace(/^sha256=/, ''), request.body, secret),
}

function about({ key, fields }: Issue, content: string): ServiceMessage {
  return { topic: `${key}: ${oneLine(fields.summary)}`, content }
}

function whoOf(given: z.output<typeof user>): string {
  return plain(given?.displayName ?? 'Somebody')
}

/** Its page, on the site that its own address in the API names. */
function linkTo({ key, self, fields }: Issue): string {
  const url =
    isGiven(self) && URL.canParse(self)
      ? new URL(`/browse/${encodeURIComponent(key.toWellFormed())}`, self).href
      : undefined
  return link(`${key} ${fields.summary}`, url)
}

/** A text, or the words of a document as Jira Cloud has them. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(asText).join('')
  if (typeof value !== 'object' || value === null) return ''
  const own = 'text' in value && typeof value.text === 'string' ? value.text : ''
  const inner = 'content' in value ? asText(value.content) : ''
  return own + inner + ('type' in value && value.type === 'paragraph' ? '\n\n' : '')
}
