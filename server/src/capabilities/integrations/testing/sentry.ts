import { hmac, type Sample, type Signer } from './sample.ts'

const SITE = 'https://monitor.example'
const CRASH_EVENT = {
  title: 'TypeError: x is undefined',
  culprit: 'app/main.js',
  level: 'error',
  shortId: 'APP-1',
  web_url: `${SITE}/issues/1`,
  project: { id: '1', slug: 'app', name: 'App' },
}
/** Error events name their project only in an API URL. */
const projectUrlFields = { project: 1, url: 'https://sentry.example/api/0/projects/acme/app/events/6886/' }
const CRASH_LINK = `[TypeError\\: x is undefined](${SITE}/issues/1)`

export const SAMPLES: readonly Sample[] = [
  {
    service: 'sentry',
    what: 'issue',
    headers: { 'sentry-hook-resource': 'issue' },
    body: {
      action: 'created',
      actor: { type: 'application', id: 'sentry', name: 'Sentry' },
      data: { issue: CRASH_EVENT },
    },
    topic: 'app / TypeError: x is undefined',
    content: `Sentry found a new issue: ${CRASH_LINK}\n\`APP-1\` \`error\` \`app/main.js\``,
  },
  {
    service: 'sentry',
    what: 'issue',
    headers: { 'sentry-hook-resource': 'issue' },
    body: {
      action: 'assigned',
      actor: { name: 'Ann' },
      data: { issue: { ...CRASH_EVENT, assignedTo: { name: 'Bob' } } },
    },
    topic: 'app / TypeError: x is undefined',
    content: `Ann assigned ${CRASH_LINK} to Bob\n\`APP-1\` \`error\` \`app/main.js\``,
  },
  {
    service: 'sentry',
    what: 'event_alert',
    headers: { 'sentry-hook-resource': 'event_alert' },
    body: {
      action: 'triggered',
      data: {
        triggered_rule: 'Page us',
        event: { ...CRASH_EVENT, ...projectUrlFields, environment: 'production', message: 'x was *undefined*' },
      },
    },
    topic: 'app / TypeError: x is undefined',
    content: `🔥 ${CRASH_LINK} (Page us)\n\`error\` \`production\` \`app/main.js\`\n\n\`\`\`quote\nx was \\*undefined\\*\n\`\`\``,
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
    body: {
      action: 'unresolved',
      actor: { name: 'Sentry' },
      data: { issue: { ...CRASH_EVENT, substatus: 'regressed' } },
    },
    topic: 'app / TypeError: x is undefined',
    content: `Sentry reopened ${CRASH_LINK}\n\`APP-1\` \`error\` \`regressed\` \`app/main.js\``,
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
      event: { event_id: '4dc4', title: CRASH_EVENT.title, environment: 'production', tags: [] },
    },
    topic: 'app / TypeError: x is undefined',
    content:
      `🔥 ${CRASH_LINK} (Page us\\, Note it)\n\`error\` \`production\` \`app/main.js\`` +
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
    service: 'sentry',
    what: 'error',
    headers: { 'sentry-hook-resource': 'error' },
    body: {
      action: 'created',
      data: { error: { ...CRASH_EVENT, ...projectUrlFields, environment: 'production', message: CRASH_EVENT.title } },
    },
    topic: 'app / TypeError: x is undefined',
    content: `❌ ${CRASH_LINK}\n\`error\` \`production\` \`app/main.js\``,
  },
  {
    service: 'sentry',
    what: 'error without project URL',
    headers: { 'sentry-hook-resource': 'error' },
    body: { action: 'created', data: { error: { ...CRASH_EVENT, project: 1, url: 'https://sentry.example/' } } },
    topic: 'TypeError: x is undefined',
    content: `❌ ${CRASH_LINK}\n\`error\` \`app/main.js\``,
  },
]

export const sign: Signer = (body, secret) => ({ 'sentry-hook-signature': hmac(body, secret) })
