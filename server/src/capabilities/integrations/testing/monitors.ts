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

const rule = {
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
const RULE = `**[Disk \\*full\\*](${SITE}/d/1?tab=alert&viewPanel=4&orgId=1)**`

const crash = {
  title: 'TypeError: x is undefined',
  culprit: 'app/main.js',
  level: 'error',
  shortId: 'APP-1',
  web_url: `${SITE}/issues/1`,
  project: { id: '1', slug: 'app', name: 'App' },
}
/** Errors name their project only in an API URL. */
const of = { project: 1, url: 'https://sentry.example/api/0/projects/acme/app/events/6886/' }
const CRASH = `[TypeError\\: x is undefined](${SITE}/issues/1)`

const build = {
  number: 5,
  phase: 'FINALIZED',
  status: 'FAILURE',
  url: 'job/rocket/5/',
  full_url: `${SITE}/job/rocket/5/`,
  scm: { url: 'git@x', branch: 'origin/main', commit: '0123456789abcdef' },
}

export const MONITORS: readonly Sample[] = [
  { service: 'alertmanager', what: 'firing', body: group, topic: 'DiskFull', content: `${FIRING}\n\n${RESOLVED}` },
  {
    service: 'alertmanager',
    what: 'resolved',
    body: { ...group, status: 'resolved', alerts: [resolved], groupLabels: {}, commonLabels: {} },
    topic: 'DiskFull',
    content: RESOLVED,
  },
  {
    service: 'grafana',
    what: 'firing',
    body: {
      ...group,
      version: '1',
      orgId: 1,
      title: '[FIRING:1] DiskFull',
      state: 'alerting',
      message: '**Firing**',
      alerts: [
        {
          ...firing,
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
      ...group,
      title: '[FIRING:1] DiskFull',
      state: 'alerting',
      alerts: [
        {
          ...firing,
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
    service: 'sentry',
    what: 'issue',
    headers: { 'sentry-hook-resource': 'issue' },
    body: { action: 'created', actor: { type: 'application', id: 'sentry', name: 'Sentry' }, data: { issue: crash } },
    topic: 'app / TypeError: x is undefined',
    content: `Sentry found a new issue: ${CRASH}\n\`APP-1\` \`error\` \`app/main.js\``,
  },
  {
    service: 'sentry',
    what: 'issue',
    headers: { 'sentry-hook-resource': 'issue' },
    body: { action: 'assigned', actor: { name: 'Ann' }, data: { issue: { ...crash, assignedTo: { name: 'Bob' } } } },
    topic: 'app / TypeError: x is undefined',
    content: `Ann assigned ${CRASH} to Bob\n\`APP-1\` \`error\` \`app/main.js\``,
  },
  {
    service: 'sentry',
    what: 'event_alert',
    headers: { 'sentry-hook-resource': 'event_alert' },
    body: {
      action: 'triggered',
      data: {
        triggered_rule: 'Page us',
        event: { ...crash, ...of, environment: 'production', message: 'x was *undefined*' },
      },
    },
    topic: 'app / TypeError: x is undefined',
    content: `🔥 ${CRASH} (Page us)\n\`error\` \`production\` \`app/main.js\`\n\n\`\`\`quote\nx was \\*undefined\\*\n\`\`\``,
  },
  {
    service: 'sentry',
    what: 'metric_alert',
    headers: { 'sentry-hook-resource': 'metric_alert' },
    body: {
      action: 'critical',
      data: { description_title: 'Too slow', description_text: '5 s', web_url: `${SITE}/a`, metric_alert: {} },
    },
    topic: 'Too slow',
    content: `🔥 [Too slow](${SITE}/a): critical\n\n\`\`\`quote\n5 s\n\`\`\``,
  },
  ...(['Critical: Too slow', 'Resolved: Too slow'] as const).map((title, index): Sample => {
    const [action, sign] = (
      [
        ['critical', '🔥'],
        ['resolved', '✅'],
      ] as const
    )[index === 0 ? 0 : 1]
    return {
      service: 'sentry',
      what: `metric_alert of a rule: ${action}`,
      headers: { 'sentry-hook-resource': 'metric_alert' },
      body: {
        action,
        data: { description_title: title, web_url: `${SITE}/a`, metric_alert: { alert_rule: { name: 'Too slow' } } },
      },
      topic: 'Too slow',
      content: `${sign} [${title.replace(':', String.raw`\:`)}](${SITE}/a)`,
    }
  }),
  {
    service: 'sentry',
    what: 'reopened issue',
    headers: { 'sentry-hook-resource': 'issue' },
    body: { action: 'unresolved', actor: { name: 'Sentry' }, data: { issue: { ...crash, substatus: 'regressed' } } },
    topic: 'app / TypeError: x is undefined',
    content: `Sentry reopened ${CRASH}\n\`APP-1\` \`error\` \`regressed\` \`app/main.js\``,
  },
  {
    service: 'sentry',
    what: 'alert of a single project',
    body: {
      id: '1',
      project: 'app',
      project_name: 'App',
      project_slug: 'app',
      logger: null,
      level: 'error',
      culprit: 'app/main.js',
      message: 'x was *undefined*',
      url: `${SITE}/issues/1`,
      triggering_rules: ['Page us', 'Note it'],
      event: { event_id: '4dc4', title: crash.title, environment: 'production', tags: [] },
    },
    topic: 'app / TypeError: x is undefined',
    content:
      `🔥 ${CRASH} (Page us\\, Note it)\n\`error\` \`production\` \`app/main.js\`` +
      '\n\n```quote\nx was \\*undefined\\*\n```',
  },
  {
    service: 'sentry',
    what: 'comment',
    headers: { 'sentry-hook-resource': 'comment' },
    body: {
      action: 'created',
      actor: { name: 'Ann' },
      data: { comment: 'Mine', issue_id: 1, project_slug: 'app', timestamp: '' },
    },
    topic: 'app / issue 1',
    content: 'Ann wrote a comment on the issue 1:\n\n```quote\nMine\n```',
  },
  {
    service: 'uptimekuma',
    what: 'down',
    body: {
      heartbeat: {
        monitorID: 1,
        status: 0,
        time: '2026-11-25 10:00:00',
        msg: 'timeout',
        important: true,
        duration: 60,
      },
      monitor: { id: 1, name: 'Shop', url: 'https://shop.example', type: 'http' },
      msg: '[Shop] [🔴 Down] timeout',
    },
    topic: 'Shop',
    content: '🔥 [Shop](https://shop.example/) is down.\n\n```quote\ntimeout\n```',
  },
  {
    service: 'uptimekuma',
    what: 'up',
    body: {
      heartbeat: { monitorID: 1, status: 1, msg: '200 - OK', ping: 41.6 },
      monitor: { id: 1, name: 'Shop', url: null, type: 'ping' },
      msg: '[Shop] [✅ Up] 200 - OK',
    },
    topic: 'Shop',
    content: '✅ Shop is up (42 ms).',
  },
  {
    service: 'uptimekuma',
    what: 'connection test',
    body: { heartbeat: null, monitor: null, msg: 'Chat Testing' },
    topic: 'Uptime Kuma',
    content: 'Chat Testing',
  },
  {
    service: 'jenkins',
    what: 'finalized',
    body: { name: 'rocket', display_name: 'Rocket', url: 'job/rocket/', build },
    topic: 'Rocket',
    content: `❌ [Rocket \\#5](${SITE}/job/rocket/5/) of \`origin/main\` (\`0123456789a\`): failure`,
  },
  {
    service: 'jenkins',
    what: 'started',
    body: { name: 'rocket', url: 'job/rocket/', build: { ...build, phase: 'STARTED', status: undefined, scm: {} } },
    topic: 'rocket',
    content: `🔨 [rocket \\#5](${SITE}/job/rocket/5/) has started.`,
  },
  {
    service: 'jenkins',
    what: 'finalized',
    body: {
      name: 'rocket',
      build: { ...build, status: 'UNSTABLE', scm: null, test_summary: { total: 10, failed: 2, passed: 8, skipped: 0 } },
    },
    topic: 'rocket',
    content: `⚠️ [rocket \\#5](${SITE}/job/rocket/5/): unstable (2 of 10 tests failed)`,
  },
  {
    service: 'uptimekuma',
    what: 'pending',
    body: { heartbeat: { status: 2, msg: 'timeout' }, monitor: { name: 'Shop' }, msg: '' },
    topic: 'Shop',
    content: '⏳ Shop does not answer yet.\n\n```quote\ntimeout\n```',
  },
  {
    service: 'uptimekuma',
    what: 'maintenance',
    body: { heartbeat: { status: 3, msg: '' }, monitor: { name: 'Shop' }, msg: '' },
    topic: 'Shop',
    content: '🔧 Shop is under maintenance.',
  },
  {
    service: 'sentry',
    what: 'error',
    headers: { 'sentry-hook-resource': 'error' },
    body: { action: 'created', data: { error: { ...crash, ...of, environment: 'production', message: crash.title } } },
    topic: 'app / TypeError: x is undefined',
    content: `❌ ${CRASH}\n\`error\` \`production\` \`app/main.js\``,
  },
  {
    service: 'sentry',
    what: 'error without project URL',
    headers: { 'sentry-hook-resource': 'error' },
    body: { action: 'created', data: { error: { ...crash, project: 1, url: 'https://sentry.example/' } } },
    topic: 'TypeError: x is undefined',
    content: `❌ ${CRASH}\n\`error\` \`app/main.js\``,
  },
  {
    service: 'alertmanager',
    what: 'firing',
    body: { ...group, alerts: [resolved], truncatedAlerts: 2 },
    topic: 'DiskFull',
    content: `${RESOLVED}\n\n… and 2 more alerts`,
  },
  {
    service: 'grafana',
    what: 'resolved',
    body: { ...group, status: 'resolved', alerts: [{ ...resolved, imageURL: `${SITE}/shot.png` }] },
    topic: 'DiskFull',
    content: `${RESOLVED}\n[Picture](${SITE}/shot.png)`,
  },
  {
    service: 'grafana',
    what: 'firing in legacy alerting',
    body: rule,
    topic: 'Disk *full*',
    content:
      `🔥 ${RULE} is firing\n\`severity=critical\`\n\`High value=100\` \`High value=200.5\`\n` +
      `[Picture](${SITE}/shot.png)\n\n\`\`\`quote\nLook at **db1**.\n\`\`\``,
  },
  {
    service: 'grafana',
    what: 'resolved in legacy alerting',
    body: { ...rule, state: 'ok', evalMatches: [], imageUrl: undefined, message: '', tags: {}, title: '[OK] Disk' },
    topic: 'Disk *full*',
    content: `✅ ${RULE} is resolved`,
  },
  {
    service: 'grafana',
    what: 'no_data in legacy alerting',
    body: { ...rule, state: 'no_data', evalMatches: null, imageUrl: undefined, message: undefined, tags: null },
    topic: 'Disk *full*',
    content: `❓ ${RULE} has no data`,
  },
]
