import type { Sample } from './sample.ts'

const SITE = 'https://monitor.example'
const build = {
  number: 5,
  phase: 'FINALIZED',
  status: 'FAILURE',
  url: 'job/rocket/5/',
  full_url: `${SITE}/job/rocket/5/`,
  scm: { url: 'git@x', branch: 'origin/main', commit: '0123456789abcdef' },
}

export const SAMPLES: readonly Sample[] = [
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
]
