import { alertList, alerts, alertTopic, SAMPLE_ALERTS } from './alerts.ts'
import { payloadOf, type Integration } from './requests.ts'

export const integration: Integration = {
  read(request) {
    const payload = payloadOf(request, alerts)
    if (payload.alerts.length === 0) return undefined
    return { event: payload.status, topic: alertTopic(payload), content: alertList(payload) }
  },
  sample: { body: { version: '4', ...SAMPLE_ALERTS } },
}
