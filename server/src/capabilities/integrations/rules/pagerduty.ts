import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import {
  headerOf,
  payloadOf,
  unsupportedEventError,
  hmacOf,
  isValidHmac,
  type Integration,
  type ServiceMessage,
  type ServiceRequest,
} from './requests.ts'
import { code, isGiven, lookUpWord, link, toSingleLine, plainText, quotePlainText } from './text.ts'

const optionalText = z.optional(z.nullable(string))
const reference = z.object({ summary: optionalText, html_url: optionalText })

const payload = z.object({
  event: z.object({ event_type: string, agent: z.optional(z.nullable(reference)) }),
})

const incident = z.object({
  title: string,
  number: z.optional(z.number()),
  html_url: optionalText,
  urgency: optionalText,
  service: z.optional(z.nullable(reference)),
  assignees: z.optional(z.array(reference)),
  priority: z.optional(z.nullable(reference)),
})

const incidentEvent = z.object({ event: z.object({ data: incident }) })

const SAMPLE_SITE_URL = 'https://pagerduty.example'

const SAMPLE_INCIDENT: z.input<typeof incident> = {
  title: 'A test of the connection',
  number: 12,
  html_url: `${SAMPLE_SITE_URL}/incidents/TEST`,
  urgency: 'low',
  service: { summary: 'Test', html_url: `${SAMPLE_SITE_URL}/services/TEST` },
  assignees: [{ summary: 'Ann', html_url: `${SAMPLE_SITE_URL}/users/ANN` }],
  priority: null,
}

const incidentReference = { incident: z.object({ summary: string, html_url: optionalText }) }
const note = z.object({ event: z.object({ data: z.object({ ...incidentReference, content: string }) }) })
const statusUpdate = z.object({ event: z.object({ data: z.object({ ...incidentReference, message: string }) }) })
const responder = z.object({
  event: z.object({
    data: z.object({
      ...incidentReference,
      user: z.optional(z.nullable(reference)),
      message: optionalText,
      state: optionalText,
    }),
  }),
})

const EVENT_SIGNS_AND_WORDS: Readonly<Record<string, readonly [sign: string, words: string]>> = {
  'incident.triggered': ['🔥', 'Triggered'],
  'incident.acknowledged': ['👀', 'Acknowledged'],
  'incident.unacknowledged': ['🔥', 'No longer acknowledged'],
  'incident.reassigned': ['👤', 'Reassigned'],
  'incident.delegated': ['👤', 'Delegated'],
  'incident.escalated': ['🔺', 'Escalated'],
  'incident.priority_updated': ['🔺', 'Priority changed'],
  'incident.reopened': ['🔥', 'Reopened'],
  'incident.service_updated': ['🔧', 'Moved to another service'],
  'incident.resolved': ['✅', 'Resolved'],
}

function readOtherEvent(event: string, by: string, request: ServiceRequest): ServiceMessage | undefined {
  if (event === 'incident.annotated') {
    const { incident: one, content } = payloadOf(request, note).event.data
    return incidentMessage(one, `📝 Note${by} on`, quotePlainText(content))
  }
  if (event === 'incident.status_update_published') {
    const { incident: one, message } = payloadOf(request, statusUpdate).event.data
    return incidentMessage(one, `📣 Status update${by} on`, quotePlainText(message))
  }
  if (event === 'incident.responder.added' || event === 'incident.responder.replied') {
    const { incident: one, user, message, state } = payloadOf(request, responder).event.data
    const whom = plainText(user?.summary ?? 'Someone')
    const words =
      event === 'incident.responder.added' ? `was asked${by} to help with` : `${plainText(state ?? 'replied')}:`
    return incidentMessage(one, `👤 ${whom} ${words}`, quotePlainText(message))
  }
  return undefined
}

function incidentMessage(
  { summary, html_url }: z.output<typeof incidentReference.incident>,
  words: string,
  quoted: string,
): ServiceMessage {
  return {
    topic: toSingleLine(summary),
    content: `${words} ${link(summary, html_url)}${quoted === '' ? '' : ':'}${quoted}`,
  }
}

export const integration: Integration = {
  read(request) {
    const {
      event: { event_type: event, agent },
    } = payloadOf(request, payload)
    const by = isGiven(agent?.summary) ? ` by ${link(agent.summary, agent.html_url)}` : ''
    if (event === 'pagey.ping') return { event, topic: 'PagerDuty', content: 'PagerDuty is connected.' }
    const beside = readOtherEvent(event, by, request)
    if (beside !== undefined) return { ...beside, event }
    const said = lookUpWord(EVENT_SIGNS_AND_WORDS, event)
    if (said === undefined) throw unsupportedEventError(request, event)
    const one = payloadOf(request, incidentEvent).event.data
    const [sign, words] = said
    const number = one.number === undefined ? '' : `#${one.number} `
    const assignees = (one.assignees ?? []).flatMap(({ summary }) => (isGiven(summary) ? [plainText(summary)] : []))
    const facts = [one.service?.summary, one.urgency, one.priority?.summary].flatMap((fact) =>
      isGiven(fact) ? [code(fact)] : [],
    )
    const to = assignees.length === 0 ? '' : ` · assigned to ${assignees.slice(0, 10).join(', ')}`
    return {
      event,
      topic: toSingleLine(one.title),
      content: `${sign} ${words}${by}: ${link(number + one.title, one.html_url)}\n${facts.join(' ')}${to}`.trim(),
    }
  },
  isSigned: (request, secret) =>
    headerOf(request, 'X-PagerDuty-Signature')
      .split(',', 10)
      .some((signature) => isValidHmac(signature.trim().replace(/^v1=/, ''), request.body, secret)),
  sign: (body, secret) => ({ 'x-pagerduty-signature': `v1=${hmacOf(body, secret)}` }),
  sample: { body: { event: { event_type: 'incident.triggered', agent: null, data: SAMPLE_INCIDENT } } },
}
