/*
 * `node tools/api-coverage.js`: writes docs/api-coverage.md, which says promise by promise of the API's specification
 * which test would fail without it; with --check it only compares. It fails where a promise has no test, or names one
 * that the last run of all tests (coverage/test-results.json) does not know or did not see pass. Run it from the root.
 *
 * The promises are the files of server/src/testing/promises, one for each section of the specification:
 *   [{ "promise": "…", "tests": ["<file> > <describe> > <test>", …] }, …]
 * where a test's name that ends in `…` stands for all that begin so, as those of `it.each` do.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

const PROMISES = 'server/src/testing/promises'
const RESULTS = 'coverage/test-results.json'
const DOCUMENT = 'docs/api-coverage.md'

/** The sections of the specification that promise something, in its order: file and heading. */
const SECTIONS = Object.entries({
  'what-the-service-does': 'What the service does',
  conventions: 'Conventions',
  message: 'Message',
  'scheduled-message': 'Scheduled message',
  'channel-and-subscription': 'Channel and subscription',
  user: 'User',
  'custom-profile-field': 'Custom profile field definition',
  'user-group': 'User group',
  'channel-folder': 'Channel folder',
  'topic-entry': 'Topic entry',
  'uploaded-file-record': 'Uploaded-file record',
  'emoji-reaction': 'Emoji reaction',
  'code-playground': 'Code playground',
  linkifier: 'Linkifier',
  'navigation-view': 'Navigation view',
  'event-queue': 'Event queue',
  'states-and-transitions': 'States and transitions',
  'messages-send': 'POST /messages',
  'scheduled-messages-create': 'POST /scheduled_messages',
  'messages-edit': 'PATCH /messages/{message_id}',
  'subscriptions-add': 'POST /users/me/subscriptions',
  'subscriptions-remove': 'DELETE /users/me/subscriptions',
  'streams-update': 'PATCH /streams/{stream_id}',
  'channels-create': 'POST /channels/create',
  'messages-matches-narrow': 'GET /messages/matches_narrow',
  'messages-flags-narrow': 'POST /messages/flags/narrow',
  'user-topics': 'POST /user_topics',
  'channel-folders-create': 'POST /channel_folders/create',
  'user-groups-create': 'POST /user_groups/create',
  'reactions-remove': 'DELETE /messages/{message_id}/reactions',
  'channel-topics': 'GET /users/me/{stream_id}/topics',
  'navigation-views-add': 'POST /navigation_views',
  'playgrounds-add': 'POST /realm/playgrounds',
  'linkifiers-update': 'PATCH /realm/filters/{filter_id}',
  'users-list': 'GET /users',
  'server-settings': 'GET /server_settings',
  register: 'POST /register',
  events: 'GET /events',
  authentication: 'Authentication',
  'event-types': 'Events',
  errors: 'Errors',
  limits: 'Limits',
  versioning: 'Versioning',
})

/** @typedef {{ promise: string, tests: string[] }} Promised */

/** @type {string[]} */
const faults = []
const statuses = lastRun()
const text = write(SECTIONS.map(([file, heading]) => ({ heading, promises: read(file) })))

for (const file of readdirSync(PROMISES)) {
  if (!SECTIONS.some(([section]) => `${section}.json` === file)) faults.push(`${file}: no section is called so`)
}
if (process.argv.includes('--check')) {
  const written = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : ''
  if (written !== text) faults.push(`${DOCUMENT} is not what the promises say; run node tools/api-coverage.js`)
} else {
  writeFileSync(DOCUMENT, text)
}
for (const fault of faults) console.error(`api-coverage: ${fault}`)
if (faults.length > 0) process.exitCode = 1

/** Every test of the last run, as promises name them, with what became of it. */
function lastRun() {
  /** @type {{ testResults: { name: string, assertionResults: { ancestorTitles: string[], title: string, status: string }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(RESULTS, 'utf8'))
  return new Map(
    testResults.flatMap(({ name, assertionResults }) => {
      const file = relative(process.cwd(), name).split(sep).join('/')
      return assertionResults.map((test) => [[file, ...test.ancestorTitles, test.title].join(' > '), test.status])
    }),
  )
}

/**
 * The promises of a section, having looked at their tests.
 * @param {string} file
 */
function read(file) {
  const path = join(PROMISES, `${file}.json`)
  if (!existsSync(path)) return []
  /** @type {Promised[]} */
  const promises = JSON.parse(readFileSync(path, 'utf8'))
  for (const { promise, tests } of promises) {
    if (tests.length === 0) faults.push(`${file}.json: no test for “${promise}”`)
    for (const test of tests) {
      const found = named(test)
      if (found.length === 0) faults.push(`${file}.json: there is no test “${test}”`)
      if (found.some((status) => status !== 'passed')) faults.push(`${file}.json: did not pass: “${test}”`)
    }
  }
  return promises
}

/**
 * What became of the tests that a promise means.
 * @param {string} test
 */
function named(test) {
  if (!test.endsWith('…')) return [statuses.get(test)].filter((status) => status !== undefined)
  return [...statuses].filter(([name]) => name.startsWith(test.slice(0, -1))).map(([, status]) => status)
}

/** @param {{ heading: string, promises: Promised[] }[]} sections */
function write(sections) {
  const count = sections.reduce((sum, { promises }) => sum + promises.length, 0)
  const intro = [
    '# What the API promises, and the tests that hold it to that',
    'Generated by `node tools/api-coverage.js` from `server/src/testing/promises/` and the last run of all tests: each of ' +
      `these ${count} promises has at least one test that would fail without it.`,
  ]
  return [...intro, ...sections.filter(({ promises }) => promises.length > 0).map(table)].join('\n\n') + '\n'
}

/** @param {{ heading: string, promises: Promised[] }} section */
function table({ heading, promises }) {
  const rows = promises.flatMap(({ promise, tests }) =>
    tests.map((test, index) => {
      const [file = '', ...titles] = test.split(' > ')
      return row(index === 0 ? promise : '', titles.join(' > '), `[${file.split('/').at(-1)}](../${file})`)
    }),
  )
  return [`## ${heading}`, '', row('Promise', 'Test', 'File'), row('---', '---', '---'), ...rows].join('\n')
}

/** @param {string[]} cells */
function row(...cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
