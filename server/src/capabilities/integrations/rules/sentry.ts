import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import {
  eventHeader,
  headerOf,
  payloadOf,
  readEvent,
  readPayload,
  hmacOf,
  isValidHmac,
  type Integration,
  type Readers,
  type ServiceMessage,
  type ServiceRequest,
} from './requests.ts'
import { code, isGiven, lookUpWord, link, toSingleLine, plainText, quote, quotePlainText } from './text.ts'

const optionalText = z.optional(z.nullable(string))
const actor = z.optional(z.nullable(z.object({ name: optionalText })))

const issueFields = { title: string, culprit: optionalText, level: optionalText, web_url: optionalText }

const issue = z.object({
  action: string,
  actor,
  data: z.object({
    issue: z.object({
      ...issueFields,
      shortId: optionalText,
      /** Says, for example, that a resolved issue occurred again. */
      substatus: optionalText,
      permalink: optionalText,
      project: z.optional(z.object({ slug: optionalText, name: optionalText })),
      assignedTo: z.optional(z.nullable(z.object({ name: optionalText }))),
    }),
  }),
})

const SAMPLE_PAYLOAD: z.input<typeof issue> = {
  action: 'created',
  actor: { name: 'Sentry' },
  data: {
    issue: {
      title: 'Error: this is a test of the connection',
      culprit: 'app/main.js',
      level: 'error',
      shortId: 'TEST-1',
      web_url: 'https://sentry.example/issues/1',
      permalink: null,
      project: { slug: 'test', name: 'Test' },
    },
  },
}

/** The project appears only in the API URL: `…/projects/ORGANIZATION/PROJECT/events/ID/`. */
const errorEvent = z.object({ ...issueFields, environment: optionalText, message: optionalText, url: optionalText })
const eventAlert = z.object({ data: z.object({ triggered_rule: optionalText, event: errorEvent }) })
const errorPayload = z.object({ data: z.object({ error: errorEvent }) })

/** Legacy webhooks of a single project, which name no event. */
const projectAlert = z.object({
  project: string,
  message: optionalText,
  culprit: optionalText,
  level: optionalText,
  url: optionalText,
  triggering_rules: z.optional(z.nullable(z.array(string))),
  event: z.object({ title: optionalText, environment: optionalText }),
})

const metricAlert = z.object({
  action: string,
  data: z.object({
    description_title: string,
    description_text: optionalText,
    web_url: optionalText,
    metric_alert: z.optional(
      z.nullable(z.object({ alert_rule: z.optional(z.nullable(z.object({ name: optionalText }))) })),
    ),
  }),
})

const comment = z.object({
  action: string,
  actor,
  data: z.object({ comment: optionalText, issue_id: z.union([z.number(), string]), project_slug: optionalText }),
})

const ISSUE_VERBS: Readonly<Record<string, string>> = {
  created: 'found a new issue:',
  resolved: 'resolved',
  unresolved: 'reopened',
  assigned: 'assigned',
  archived: 'archived',
  ignored: 'ignored',
}

const COMMENT_VERBS: Readonly<Record<string, string>> = { created: 'wrote', updated: 'edited', deleted: 'deleted' }
const ALERT_SIGNS: Readonly<Record<string, string>> = { resolved: '✅', warning: '⚠️' }

const READERS: Readers = {
  issue: (request) => {
    const {
      action,
      actor: who,
      data: { issue: one },
    } = payloadOf(request, issue)
    const verb = lookUpWord(ISSUE_VERBS, action)
    if (verb === undefined) return undefined
    const to = action === 'assigned' && isGiven(one.assignedTo?.name) ? ` to ${plainText(one.assignedTo.name)}` : ''
    const name = link(one.title, one.web_url ?? one.permalink)
    const substatus = action === 'unresolved' || action === 'archived' ? one.substatus : undefined
    return {
      topic: projectTopic(one.project?.slug ?? one.project?.name, one.title),
      content: `${plainText(who?.name ?? 'Sentry')} ${verb} ${name}${to}${detailsText([one.shortId, one.level, substatus, one.culprit])}`,
    }
  },
  event_alert: (request) => {
    const { event, triggered_rule } = payloadOf(request, eventAlert).data
    return errorEventMessage('🔥', event, isGiven(triggered_rule) ? ` (${plainText(triggered_rule)})` : '')
  },
  error: (request) => errorEventMessage('❌', payloadOf(request, errorPayload).data.error, ''),
  metric_alert: (request) => {
    const { action, data } = payloadOf(request, metricAlert)
    const title = link(data.description_title, data.web_url)
    const says = data.description_title.toLowerCase().startsWith(`${action.toLowerCase()}: `)
    return {
      // Removes the leading state, so that all messages about an alert share a topic.
      topic: toSingleLine(data.metric_alert?.alert_rule?.name ?? data.description_title.replace(/^\w+: /, '')),
      content: `${lookUpWord(ALERT_SIGNS, action) ?? '🔥'} ${title}${says ? '' : `: ${plainText(action)}`}${quotePlainText(data.description_text)}`,
    }
  },
  comment: (request) => {
    const { action, actor: who, data } = payloadOf(request, comment)
    const verb = lookUpWord(COMMENT_VERBS, action)
    if (verb === undefined) return undefined
    const said = action === 'deleted' ? '.' : `:${quote(data.comment)}`
    return {
      topic: projectTopic(data.project_slug, `issue ${data.issue_id}`),
      content: `${plainText(who?.name ?? 'Someone')} ${verb} a comment on the issue ${plainText(String(data.issue_id))}${said}`,
    }
  },
}

const RESOURCE_HEADER = 'Sentry-Hook-Resource'

export const integration: Integration = {
  read(request) {
    const fromProject = headerOf(request, RESOURCE_HEADER) === '' ? readProjectAlert(request) : undefined
    return fromProject ?? readEvent(READERS, eventHeader(request, RESOURCE_HEADER), request)
  },
  isSigned: (request, secret) => isValidHmac(headerOf(request, 'Sentry-Hook-Signature'), request.body, secret),
  sign: (body, secret) => ({ 'sentry-hook-signature': hmacOf(body, secret) }),
  sample: { headers: { 'sentry-hook-resource': 'issue' }, body: SAMPLE_PAYLOAD },
}

function errorEventMessage(sign: string, one: z.output<typeof errorEvent>, why: string): ReturnType<Readers[string]> {
  const facts = detailsText([one.level, one.environment, one.culprit])
  const project = /\/projects\/[^/]+\/([^/]+)\/events\//.exec(one.url ?? '')?.[1]
  // Without an exception, the message repeats the title.
  const message = one.message === one.title ? '' : quotePlainText(one.message)
  return {
    topic: projectTopic(project, one.title),
    content: `${sign} ${link(one.title, one.web_url)}${why}${facts}${message}`,
  }
}

function readProjectAlert(request: ServiceRequest): ServiceMessage | undefined {
  const alert = readPayload(request, projectAlert)
  if (alert === undefined) return undefined
  const { project, message, url, triggering_rules: rules, event } = alert
  const title = event.title || message || project
  const why = isGiven(rules) && rules.length > 0 ? ` (${plainText(rules.join(', '))})` : ''
  const facts = detailsText([alert.level, event.environment, alert.culprit])
  const said = message === title ? '' : quotePlainText(message)
  return {
    event: 'event_alert',
    topic: projectTopic(project, title),
    content: `🔥 ${link(title, url)}${why}${facts}${said}`,
  }
}

function projectTopic(project: string | null | undefined, title: string): string {
  return isGiven(project) ? `${toSingleLine(project)} / ${toSingleLine(title)}` : toSingleLine(title)
}

function detailsText(parts: readonly (string | null | undefined)[]): string {
  const shown = parts.filter((part) => isGiven(part) && part.trim() !== '').map((part) => code(part ?? ''))
  return shown.length === 0 ? '' : `\n${shown.join(' ')}`
}
