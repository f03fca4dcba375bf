import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import { alertList, alerts, alertText, alertTopic, SAMPLE_ALERTS } from './alerts.ts'
import {
  headerOf,
  payloadOf,
  unsupportedEventError,
  hmacOf,
  isValidHmac,
  type Integration,
  type ServiceMessage,
} from './requests.ts'
import { isGiven, lookUpWord, link, toSingleLine } from './text.ts'

const groupedAlerts = z.extend(alerts, { title: z.optional(string) })

/** Legacy alerting, removed in Grafana 11, reports one rule at a time. */
const legacyRule = z.object({
  state: string,
  ruleName: string,
  ruleUrl: z.optional(z.nullable(string)),
  message: z.optional(z.nullable(string)),
  imageUrl: z.optional(z.nullable(string)),
  tags: z.optional(z.nullable(z.record(string, string))),
  evalMatches: z.optional(z.nullable(z.array(z.object({ metric: string, value: z.nullable(z.number()) })))),
})

const LEGACY_STATUSES = { alerting: 'firing', ok: 'resolved', no_data: 'no_data' } as const

function readLegacyRule(rule: z.output<typeof legacyRule>): ServiceMessage | undefined {
  const status = lookUpWord<(typeof LEGACY_STATUSES)[keyof typeof LEGACY_STATUSES]>(LEGACY_STATUSES, rule.state)
  if (status === undefined) return undefined
  const measured = (rule.evalMatches ?? []).flatMap(({ metric, value }) =>
    isGiven(value) ? [[metric, value] as const] : [],
  )
  const content = alertText({
    status,
    measured,
    labels: { ...rule.tags, alertname: rule.ruleName },
    annotations: { message: rule.message ?? '' },
    generatorURL: rule.ruleUrl ?? '',
    imageURL: rule.imageUrl ?? '',
  })
  return { event: status, topic: toSingleLine(rule.ruleName) || 'alerts', content }
}

export const integration: Integration = {
  read(request) {
    const group = payloadOf(request, z.union([groupedAlerts, legacyRule]))
    if (!('alerts' in group)) {
      const message = readLegacyRule(group)
      if (message === undefined) throw unsupportedEventError(request, group.state)
      return message
    }
    if (group.alerts.length === 0) return undefined
    const title = group.title === undefined ? '' : `**${link(group.title, group.externalURL)}**\n\n`
    return { event: group.status, topic: alertTopic(group), content: title + alertList(group) }
  },
  isSigned(request, secret) {
    const signature = headerOf(request, 'X-Grafana-Alerting-Signature')
    return isValidHmac(signature, request.body, secret)
  },
  sign: (body, secret) => ({ 'x-grafana-alerting-signature': hmacOf(body, secret) }),
  sample: { body: { version: '1', ...SAMPLE_ALERTS, title: '[FIRING:1] DiskFull', state: 'alerting' } },
}
