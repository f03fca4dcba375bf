import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import {
  eventHeader,
  headerOf,
  payloadOf,
  unsupported,
  type Integration,
  type ServiceMessage,
  type ServiceRequest,
} from './requests.ts'
import { isHmac } from './signatures.ts'
import { code, isGiven, known, link, oneLine, plain, quote } from './text.ts'

const text = z.optional(z.nullable(string))
const actor = z.optional(z.object({ name: text }))

const issue = z.object({
  action: string,
  actor,
  data: z.object({
    issue: z.object({
      title: string,
      culprit: text,
      level: text,
      shortId: text,
      web_url: text,
      permalink: text,
      project: z.optional(z.object({ slug: text, name: text })),
      assignedTo: z.optional(z.nullable(z.object({ name: text }))),
    }),
  }),
})

const eventAlert = z.object({
  data: z.object({
    triggered_rule: text,
    event: z.object({
      title: string,
      culprit: text,
      level: text,
      environment: text,
      web_url: text,
      message: text,
    }),
  }),
})

const metricAlert = z.object({
  action: string,
  data: z.object({ description_title: string, description_text: text, web_url: text }),
})

const comment = z.object({
  action: string,
  actor,
  data: z.object({ comment: text, issue_id: z.union([z.number(), string]), project_slug: text }),
})

const VERBS: Readonly<Record<string, string>> = {
  created: 'found a new issue:',
  resolved: 'resolved',
  unresolved: 'reopened',
  assigned: 'assigned',
  archived: 'archived',
  ignored: 'ignored',
}

const EVENTS: Readonly<Record<string, (request: ServiceRequest) => ServiceMessage | undefined>> = {
  issue: (request) => {
    const {
      action,
      actor: who,
      data: { issue: one },
    } = payloadOf(request, issue)
    const verb = known(VERBS, action)
    if (verb === undefined) return undefined
    const to = action === 'assigned' && isGiven(one.assignedTo?.name) ? ` to ${plain(one.assignedTo.name)}` : ''
    const name = link(one.title, one.web_url ?? one.permalink)
    return {
      topic: topicOf(one.project?.slug ?? one.project?.name, one.title),
      content: `${plain(who?.name ?? 'Sentry')} ${verb} ${name}${to}${details([one.shortId, one.level, one.culprit])}`,
    }
  },
  event_alert: (request) => {
    const {
      data: { event, triggered_rule },
    } = payloadOf(request, eventAlert)
    const rule = isGiven(triggered_rule) ? ` (${plain(triggered_rule)})` : ''
    return {
      topic: topicOf(undefined, event.title),
      content: `🔥 ${link(event.title, event.web_url)}${rule}${details([event.level, event.environment, event.culprit])}${quote(event.message)}`,
    }
  },
  metric_alert: (request) => {
    const { action, data } = payloadOf(request, metricAlert)
    const sign = action === 'resolved' ? '✅' : '🔥'
    return {
      topic: oneLine(data.description_title),
      content: `${sign} ${link(data.description_title, data.web_url)}: ${plain(action)}${quote(data.description_text)}`,
    }
  },
  comment: (request) => {
    const { action, actor: who, data } = payloadOf(request, comment)
    const verb = known({ created: 'wrote', updated: 'edited', deleted: 'deleted' }, action)
    if (verb === undefined) return undefined
    const said = action === 'deleted' ? '.' : `:${quote(data.comment)}`
    return {
      topic: topicOf(data.project_slug, `issue ${data.issue_id}`),
      content: `${plain(who?.name ?? 'Somebody')} ${verb} a comment on the issue ${plain(String(data.issue_id))}${said}`,
    }
  },
}

export const sentry: Integration = {
  read(request) {
    const event = eventHeader(request, 'Sentry-Hook-Resource')
    const read = known(EVENTS, event)
    if (read === undefined) throw unsupported(request, event)
    const message = read(request)
    return message && { ...message, event }
  },
  isSigned: (request, secret) => isHmac(headerOf(request, 'Sentry-Hook-Signature'), request.body, secret),
}

function topicOf(project: string | null | undefined, title: string): string {
  return isGiven(project) ? `${oneLine(project)} / ${oneLine(title)}` : oneLine(title)
}

function details(parts: readonly (string | null | undefined)[]): string {
  const shown = parts.filter((part) => isGiven(part) && part.trim() !== '').map((part) => code(part ?? ''))
  return shown.length === 0 ? '' : `\n${shown.join(' ')}`
}
