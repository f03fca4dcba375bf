import type { Sample } from './sample.ts'

const SITE = 'https://monitor.example'
const firing = {
  status: 'firing',
  labels: { alertname: 'DiskFull', instance: 'db1:9100', severity: 'critical' },
  annotations: { summary: 'The disk of db1 is full', description: 'Only **2 %** are left.' },
  startsAt: '2026-11-25T10:00:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: `${SITE}/graph`,
  fingerprint: 'abc',
}
const resolved = { ...firing, status: 'resolved', annotations: {} }
const group = {
  version: '4',
  groupKey: '{}:{alertname="DiskFull"}',
  receiver: 'chat',
  status: 'firing',
  alerts: [resolved, firing],
  groupLabels: { alertname: 'DiskFull' },
  commonLabels: { alertname: 'DiskFull', severity: 'critical' },
  commonAnnotations: {},
  externalURL: SITE,
}
const FIRING =
  `🔥 **[The disk of db1 is full](${SITE}/graph)** is firing\n\`instance=db1:9100\` \`severity=critical\`` +
  '\n\n```quote\nOnly **2 %** are left.\n```'
const RESOLVED = `✅ **[DiskFull](${SITE}/graph)** is resolved\n\`instance=db1:9100\` \`severity=critical\``

export const SAMPLES: readonly Sample[] = [
  { service: 'alertmanager', what: 'firing', body: group, topic: 'DiskFull', content: `${FIRING}\n\n${RESOLVED}` },
  {
    service: 'alertmanager',
    what: 'resolved',
    body: { ...group, status: 'resolved', alerts: [resolved], groupLabels: {}, commonLabels: {} },
    topic: 'DiskFull',
    content: RESOLVED,
  },
  {
    service: 'alertmanager',
    what: 'firing',
    body: { ...group, alerts: [resolved], truncatedAlerts: 2 },
    topic: 'DiskFull',
    content: `${RESOLVED}\n\n… and 2 more alerts`,
  },
]
