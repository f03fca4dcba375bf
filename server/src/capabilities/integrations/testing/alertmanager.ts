import type { Sample } from './sample.ts'

const SITE = 'https://monitor.example'
const FIRING_ALERT = {
  status: 'firing',
  labels: { alertname: 'DiskFull', instance: 'db1:9100', severity: 'critical' },
  annotations: { summary: 'The disk of db1 is full', description: 'Only **2 %** are left.' },
  startsAt: '2026-11-25T10:00:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: `${SITE}/graph`,
  fingerprint: 'abc',
}
const RESOLVED_ALERT = { ...FIRING_ALERT, status: 'resolved', annotations: {} }
const ALERT_GROUP = {
  version: '4',
  groupKey: '{}:{alertname="DiskFull"}',
  receiver: 'chat',
  status: 'firing',
  alerts: [RESOLVED_ALERT, FIRING_ALERT],
  groupLabels: { alertname: 'DiskFull' },
  commonLabels: { alertname: 'DiskFull', severity: 'critical' },
  commonAnnotations: {},
  externalURL: SITE,
}
const FIRING_TEXT =
  `🔥 **[The disk of db1 is full](${SITE}/graph)** is firing\n\`instance=db1:9100\` \`severity=critical\`` +
  '\n\n```quote\nOnly **2 %** are left.\n```'
const RESOLVED_TEXT = `✅ **[DiskFull](${SITE}/graph)** is resolved\n\`instance=db1:9100\` \`severity=critical\``

export const SAMPLES: readonly Sample[] = [
  {
    service: 'alertmanager',
    what: 'firing',
    body: ALERT_GROUP,
    topic: 'DiskFull',
    content: `${FIRING_TEXT}\n\n${RESOLVED_TEXT}`,
  },
  {
    service: 'alertmanager',
    what: 'resolved',
    body: { ...ALERT_GROUP, status: 'resolved', alerts: [RESOLVED_ALERT], groupLabels: {}, commonLabels: {} },
    topic: 'DiskFull',
    content: RESOLVED_TEXT,
  },
  {
    service: 'alertmanager',
    what: 'firing',
    body: { ...ALERT_GROUP, alerts: [RESOLVED_ALERT], truncatedAlerts: 2 },
    topic: 'DiskFull',
    content: `${RESOLVED_TEXT}\n\n… and 2 more alerts`,
  },
]
