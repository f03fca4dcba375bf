/*
 * `node tools/api-coverage.js`, run in the root after the tests, checks that each promise of the API specification has
 * a test that passed in the last runs, and writes the list to coverage/api-coverage.md. Fails if a promise has no test
 * or if a test is unknown or did not pass.
 *
 * Promises of the whole service are in server/src/testing/promises, those of a capability in its testing/promises.json,
 * by heading of the specification:
 *   { "<heading>": [{ "promise": "…", "tests": ["<file> > <describe> > <test>", …] }, …], … }
 * A test name that ends in `…` matches all names that begin with it, such as those of `it.each`.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { relative, sep } from 'node:path'

const PROMISES_FOLDER = 'server/src/testing/promises'
const CAPABILITIES_FOLDER = 'server/src/capabilities'
const RESULT_FILES = ['coverage/test-results.json', 'coverage/sweep-results.json']
const REPORT_FILE = 'coverage/api-coverage.md'

/** @typedef {{ promise: string, tests: string[] }} Promised */

/** @type {string[]} */
const problems = []
const statuses = readTestStatuses()
writeFileSync(REPORT_FILE, writeDocument(promisesByHeading()))
for (const fault of problems) console.error(`api-coverage: ${fault}`)
if (problems.length > 0) process.exitCode = 1

/** Reads the status of each test. A test that failed in either suite counts as failed. */
function readTestStatuses() {
  /** @type {Map<string, string>} */
  const found = new Map()
  for (const results of RESULT_FILES.filter((file) => existsSync(file))) {
    /** @type {{ testResults: { name: string, assertionResults: { ancestorTitles: string[], title: string, status: string }[] }[] }} */
    const { testResults } = JSON.parse(readFileSync(results, 'utf8'))
    for (const { name, assertionResults } of testResults) {
      const file = relative(process.cwd(), name).split(sep).join('/')
      for (const { ancestorTitles, title, status } of assertionResults) {
        const test = [file, ...ancestorTitles, title].join(' > ')
        if (found.get(test) !== 'failed') found.set(test, status)
      }
    }
  }
  return found
}

function promisesByHeading() {
  /** @type {Map<string, Promised[]>} */
  const headings = new Map()
  for (const file of promiseFiles()) {
    /** @type {Record<string, Promised[]>} */
    const sections = JSON.parse(readFileSync(file, 'utf8'))
    for (const [heading, promises] of Object.entries(sections)) {
      for (const promised of promises) checkPromise(file, promised)
      headings.set(heading, [...(headings.get(heading) ?? []), ...promises])
    }
  }
  return headings
}

function promiseFiles() {
  const ofService = readdirSync(PROMISES_FOLDER).map((name) => `${PROMISES_FOLDER}/${name}`)
  const ofCapabilities = readdirSync(CAPABILITIES_FOLDER).map(
    (name) => `${CAPABILITIES_FOLDER}/${name}/testing/promises.json`,
  )
  return [...ofService.toSorted(), ...ofCapabilities.toSorted().filter((file) => existsSync(file))]
}

/** @param {string} file @param {Promised} promised */
function checkPromise(file, { promise, tests }) {
  if (tests.length === 0) problems.push(`${file}: no test for “${promise}”`)
  for (const test of tests) {
    const found = statusesOf(test)
    if (found.length === 0) problems.push(`${file}: no test is named “${test}”`)
    if (found.some((status) => status !== 'passed')) problems.push(`${file}: did not pass: “${test}”`)
  }
}

/** @param {string} test */
function statusesOf(test) {
  if (!test.endsWith('…')) return [statuses.get(test)].filter((status) => status !== undefined)
  return [...statuses].filter(([name]) => name.startsWith(test.slice(0, -1))).map(([, status]) => status)
}

/** @param {ReadonlyMap<string, readonly Promised[]>} headings */
function writeDocument(headings) {
  const sections = [...headings].filter(([, promises]) => promises.length > 0)
  const count = sections.reduce((sum, [, promises]) => sum + promises.length, 0)
  const intro = [
    '# API coverage',
    `Each of these ${count} promises of the API specification has a test that fails without it.`,
  ]
  return [...intro, ...sections.map(([heading, promises]) => formatTable(heading, promises))].join('\n\n') + '\n'
}

/** @param {string} heading @param {readonly Promised[]} promises */
function formatTable(heading, promises) {
  const rows = promises.flatMap(({ promise, tests }) =>
    tests.map((test, index) => {
      const [file = '', ...titles] = test.split(' > ')
      return formatRow(index === 0 ? promise : '', titles.join(' > '), `[${file.split('/').at(-1)}](../${file})`)
    }),
  )
  return [`## ${heading}`, '', formatRow('Promise', 'Test', 'File'), formatRow('---', '---', '---'), ...rows].join('\n')
}

/** @param {string[]} cells */
function formatRow(...cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
