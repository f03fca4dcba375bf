import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import { alertList, alerts, alertTopic } from './alerts.ts'
import { headerOf, payloadOf, type Integration } from './requests.ts'
import { isHmac } from './signatures.ts'
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
}
