import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import { alertList, alerts, alertTopic, SAMPLE_ALERTS } from './alerts.ts'
import { headerOf, payloadOf, type Integration } from './requests.ts'
import { hmacOf, isHmac } from './signatures.ts'
import { link } from './text.ts'

const payload = z.extend(alerts, { title: z.optional(string) })

/** The alerting of Grafana 8 and later. */
export const grafana: Integration = {
  read(request) {
    const group = payloadOf(request, payload)
    const title = group.title === undefined ? '' : `**${link(group.title, group.externalURL)}**\n\n`
    return { event: group.status, topic: alertTopic(group), content: title + alertList(group) }
  },
  isSigned(request, secret) {
    const signature = headerOf(request, 'X-Grafana-Alerting-Signature')
    return isHmac(signature, request.body, secret)
  },
  sign: (body, secret) => ({ 'x-grafana-alerting-signature': hmacOf(body, secret) }),
  sample: { body: { version: '1', ...SAMPLE_ALERTS, title: '[FIRING:1] DiskFull', state: 'alerting' } },
}
