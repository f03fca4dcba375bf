import { hmac, type Sample, type Signer } from './sample.ts'

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
const RESOLVED_TEXT = `✅ **[DiskFull](${SITE}/graph)** is resolved\n\`instance=db1:9100\` \`severity=critical\``
const LEGACY_RULE = {
  dashboardId: 1,
  evalMatches: [
    { value: 100, metric: 'High value', tags: null },
    { value: 200.5, metric: 'High value', tags: { instance: 'db1:9100' } },
    { value: null, metric: 'none', tags: null },
  ],
  imageUrl: `${SITE}/shot.png`,
  message: 'Look at **db1**.',
  orgId: 0,
  panelId: 1,
  ruleId: 0,
  ruleName: 'Disk *full*',
  ruleUrl: `${SITE}/d/1?tab=alert&viewPanel=4&orgId=1`,
  state: 'alerting',
  tags: { severity: 'critical' },
  title: '[Alerting] Disk *full*',
}
const LEGACY_RULE_LINK = `**[Disk \\*full\\*](${SITE}/d/1?tab=alert&viewPanel=4&orgId=1)**`

export const SAMPLES: readonly Sample[] = [
  {
    service: 'grafana',
    what: 'firing',
    body: {
      ...ALERT_GROUP,
      version: '1',
      orgId: 1,
      title: '[FIRING:1] DiskFull',
      state: 'alerting',
      message: '**Firing**',
      alerts: [
        {
          ...FIRING_ALERT,
          annotations: {},
          dashboardURL: `${SITE}/d`,
          panelURL: `${SITE}/p`,
          silenceURL: `${SITE}/s`,
          valueString: "[ var='A' value=2 ]",
        },
      ],
    },
    topic: 'DiskFull',
    content:
      `**[\\[FIRING\\:1\\] DiskFull](${SITE}/)**\n\n🔥 **[DiskFull](${SITE}/graph)** is firing\n` +
      "`instance=db1:9100` `severity=critical`\n`[ var='A' value=2 ]`\n" +
      `[Dashboard](${SITE}/d) · [Panel](${SITE}/p) · [Silence](${SITE}/s)`,
  },
  {
    service: 'grafana',
    what: 'values of several queries, runbook link',
    body: {
      ...ALERT_GROUP,
      title: '[FIRING:1] DiskFull',
      state: 'alerting',
      alerts: [
        {
          ...FIRING_ALERT,
          annotations: { runbook_url: `${SITE}/runbook` },
          valueString: 'x'.repeat(200),
          values: { A: 2, B: 0.25, C: 1 },
        },
      ],
    },
    topic: 'DiskFull',
    content:
      `**[\\[FIRING\\:1\\] DiskFull](${SITE}/)**\n\n🔥 **[DiskFull](${SITE}/graph)** is firing\n` +
      `\`instance=db1:9100\` \`severity=critical\`\n\`A=2\` \`B=0.25\` \`C=1\`\n[Runbook](${SITE}/runbook)`,
  },
  {
    service: 'grafana',
    what: 'resolved',
    body: { ...ALERT_GROUP, status: 'resolved', alerts: [{ ...RESOLVED_ALERT, imageURL: `${SITE}/shot.png` }] },
    topic: 'DiskFull',
    content: `${RESOLVED_TEXT}\n[Picture](${SITE}/shot.png)`,
  },
  {
    service: 'grafana',
    what: 'firing in legacy alerting',
    body: LEGACY_RULE,
    topic: 'Disk *full*',
    content:
      `🔥 ${LEGACY_RULE_LINK} is firing\n\`severity=critical\`\n\`High value=100\` \`High value=200.5\`\n` +
      `[Picture](${SITE}/shot.png)\n\n\`\`\`quote\nLook at **db1**.\n\`\`\``,
  },
  {
    service: 'grafana',
    what: 'resolved in legacy alerting',
    body: {
      ...LEGACY_RULE,
      state: 'ok',
      evalMatches: [],
      imageUrl: undefined,
      message: '',
      tags: {},
      title: '[OK] Disk',
    },
    topic: 'Disk *full*',
    content: `✅ ${LEGACY_RULE_LINK} is resolved`,
  },
  {
    service: 'grafana',
    what: 'no_data in legacy alerting',
    body: { ...LEGACY_RULE, state: 'no_data', evalMatches: null, imageUrl: undefined, message: undefined, tags: null },
    topic: 'Disk *full*',
    content: `❓ ${LEGACY_RULE_LINK} has no data`,
  },
]

export const sign: Signer = (body, secret) => ({ 'x-grafana-alerting-signature': hmac(body, secret) })
