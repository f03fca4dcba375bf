/*
 * Prints how much of the machine-readable API contract and the specification's text (in an optional folder beside the
 * clone) the test suites covered, and which endpoints, error codes, event types, and register fields did not occur.
 * Each suite writes a file in coverage/: { "checked": 1234, "endpoints": ["POST /messages", …], "errorCodes": […],
 * "eventTypes": ["typing/start", …], "registerFields": ["queue_id", …] } with the number of compared answers and events
 * and the names that occurred. Fails if a name in the specification did not occur, or if a name in unseen.js did.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { UNSEEN_NAMES } from './unseen.js'

/** @typedef {{ endpoints: string[], errorCodes: string[], eventTypes: string[], registerFields: string[] }} Names */

const REPORT_FILES = ['test', 'sweep']
  .map((suite) => fileURLToPath(new URL(`../coverage/${suite}-contract.json`, import.meta.url)))
  .filter((file) => existsSync(file))
const SHARED_FOLDER = new URL('../../shared/', import.meta.url)

if (!existsSync(fileURLToPath(new URL('contract/endpoints.json', SHARED_FOLDER)))) {
  console.log('contract: no contract folder beside this clone, nothing was compared.')
} else if (REPORT_FILES.length === 0) {
  console.error('contract: the tests left no report in coverage/.')
  process.exitCode = 1
} else {
  /** @type {(Names & { checked: number })[]} */
  const reports = REPORT_FILES.map((file) => JSON.parse(readFileSync(file, 'utf8')))
  const checked = reports.reduce((sum, report) => sum + report.checked, 0)
  console.log(`contract: ${checked} responses and events checked`)
  if (checked === 0) process.exitCode = 1
  const [specified, all] = [readSpecification(), readContract()]
  for (const [kind, words] of /** @type {[keyof Names, string][]} */ ([
    ['endpoints', 'endpoints'],
    ['errorCodes', 'error codes'],
    ['eventTypes', 'event types'],
    ['registerFields', 'register fields'],
  ])) {
    const occurred = reports.flatMap((report) => report[kind])
    compareWithContract(words, occurred, specified[kind], all[kind], (name) => reasonFor(kind, name))
  }
}

/**
 * @param {string} words plural noun to print @param {string[]} occurred
 * @param {string[]} specified in the specification's text @param {string[]} all in the contract
 * @param {(name: string) => string | undefined} reason why a name cannot occur
 */
function compareWithContract(words, occurred, specified, all, reason) {
  const named = [...new Set([...specified, ...all])]
  const absent = named.filter((name) => !occurred.includes(name))
  const excused = absent.filter((name) => reason(name) !== undefined)
  const missing = absent.filter((name) => reason(name) === undefined)
  const stale = occurred.filter((name) => reason(name) !== undefined)
  const promised = specified.filter((name) => !occurred.includes(name))
  console.log(`  ${words}: ${named.length - absent.length} of ${named.length} occurred`)
  if (specified.length > 0) {
    console.log(`    ${specified.length - promised.length} of the ${specified.length} in the specification's text`)
  }
  for (const why of new Set(excused.map(reason))) {
    console.log(`    cannot occur: ${excused.filter((name) => reason(name) === why).join(', ')} (${why})`)
  }
  if (missing.length > 0) console.log(`    did not occur: ${missing.join(', ')}`)
  if (stale.length > 0) {
    console.error(`contract: occurred although listed in unseen.js: ${stale.join(', ')}`)
    process.exitCode = 1
  }
  if (promised.length > 0) {
    console.error(`contract: specified, but not seen in any test: ${promised.join(', ')}`)
    process.exitCode = 1
  }
}

/** @param {keyof Names} kind @param {string} name */
function reasonFor(kind, name) {
  return UNSEEN_NAMES.find((entry) => entry[kind]?.includes(name))?.why
}

/** Reads endpoints from headings, and error codes and event types from the first cells of tables. @returns {Names} */
function readSpecification() {
  const text = readFileSync(new URL('api.md', SHARED_FOLDER), 'utf8')
  /** @param {string} heading */
  const section = (heading) => text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const events = [...section('Events').matchAll(/^\| `([a-z_]+)`[^|]*\|/gm)].map(([cell, type]) => {
    const op = /op `(\w+)`/.exec(cell)?.[1]
    return op === undefined ? `${type}` : `${type}/${op}`
  })
  const names = {
    endpoints: [...text.matchAll(/^### ([A-Z]+ \/\S+)/gm)].map(([, endpoint]) => `${endpoint}`),
    errorCodes: [...section('Errors').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => `${code}`),
    eventTypes: events,
  }
  for (const [kind, list] of Object.entries(names)) {
    if (list.length === 0) throw new Error(`no ${kind} found in the specification; its format may have changed`)
  }
  return { ...names, registerFields: [] }
}

function readContract() {
  /** @param {string} file */
  const read = (file) => JSON.parse(readFileSync(new URL(`contract/${file}`, SHARED_FOLDER), 'utf8'))
  /** @type {{ endpoints: { method: string, path: string }[], undocumented: { method: string, path: string }[] }} */
  const { endpoints, undocumented } = read('endpoints.json')
  /** @type {{ events: { type: string, op?: string }[] }} */
  const { events } = read('events.json')
  /** @type {{ errorCodes: { code: string }[] }} */
  const { errorCodes } = read('settings.json')
  /** @type {{ fields: { field: string }[] }} */
  const { fields } = read('register.json')
  return {
    endpoints: [...endpoints, ...undocumented].map(({ method, path }) => `${method} ${path}`),
    errorCodes: errorCodes.map(({ code }) => code),
    eventTypes: events.map(({ type, op }) => (op === undefined ? type : `${type}/${op}`)),
    registerFields: fields.map(({ field }) => field),
  }
}
