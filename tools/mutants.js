/*
 * `npm run mutants`: checks that the tests detect forty small faults, each a patch in tools/mutants/. Applies each
 * patch to a copy of the last commit, builds, and runs the tests named in the patch until one fails. Finally, all files
 * with a failed test run without a patch: a test that still fails has detected nothing.
 *
 *   npm run mutants -- 03 draft       only patches whose name contains one of the words
 *   npm run mutants -- --whole        runs all of `npm test` if the named tests detect nothing
 *   npm run mutants -- --copy FOLDER  keeps the copy, or reuses it
 *   npm run mutants -- -- ARGUMENTS   passes these to Vitest, such as --maxWorkers=1
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, constants, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { prepare, ROOT } from './prepare.js'
import { run } from './run.js'

/**
 * @typedef {object} Mutant @property {string} name @property {string} path @property {string} area
 * @property {string} fault @property {'test' | 'sweep'} suite the suite that has to detect the fault
 * @property {readonly string[]} tests patterns of test files, as Vitest takes them
 * @typedef {{ readonly file: string, readonly test: string }} Failure
 * @typedef {{ readonly mutant: Mutant, readonly verdict: string, readonly failure?: Failure | undefined }} Outcome
 */

const MUTANTS_FOLDER = join(ROOT, 'tools/mutants')
const LOGS_FOLDER = join(ROOT, 'coverage/mutants')
/** Maximum number of faults that only sweeps detect, for example because they need an older PostgreSQL. */
const MAX_SWEEP_MUTANTS = 4
const CAUGHT_VERDICT = 'caught'

const { words, options, vitest } = commandLine(process.argv.slice(2))
const mutants = readdirSync(MUTANTS_FOLDER)
  .filter((file) => file.endsWith('.patch'))
  .map(mutantIn)
  .filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
if (mutants.length === 0)
  throw new Error(`No patch in ${relative(ROOT, MUTANTS_FOLDER)} has ${words.join(' or ')} in its name.`)

mkdirSync(LOGS_FOLDER, { recursive: true })
const copyFolder = options.copy ?? (await mkdtemp(join(tmpdir(), 'parley-mutants-')))
try {
  await prepareCopy(copyFolder)
  const outcomes = []
  for (const mutant of mutants) {
    const started = Date.now()
    const outcome = await testMutant(mutant)
    outcomes.push(outcome)
    console.log(`${formatOutcome(outcome)}  (${Math.round((Date.now() - started) / 1000)} s)`)
  }
  printReport(await rerunWithoutPatches(outcomes))
} finally {
  if (options.copy === undefined) await rm(copyFolder, { recursive: true, force: true })
}

/** @param {readonly string[]} args */
function commandLine(args) {
  const split = args.includes('--') ? args.indexOf('--') : args.length
  const { values, positionals } = parseArgs({
    args: args.slice(0, split),
    allowPositionals: true,
    options: { whole: { type: 'boolean', default: false }, copy: { type: 'string' } },
  })
  return { words: positionals, options: values, vitest: args.slice(split + 1) }
}

/** Reads the `Fault`, `Area`, `Suite`, and `Tests` lines. @param {string} file @returns {Mutant} */
function mutantIn(file) {
  const path = join(MUTANTS_FOLDER, file)
  const [head = ''] = readFileSync(path, 'utf8').split('\ndiff --git')
  /** @param {string} name */
  const field = (name) => {
    const value = new RegExp(`^${name}: (.+)$`, 'm').exec(head)?.[1]
    if (value === undefined) throw new Error(`${path} has no line '${name}: …'`)
    return value
  }
  return {
    name: basename(file, '.patch'),
    path,
    area: field('Area'),
    fault: field('Fault'),
    suite: field('Suite') === 'sweep' ? 'sweep' : 'test',
    tests: field('Tests').split(' '),
  }
}

/** Clones the repository or updates a clone, and copies packages. @param {string} folder */
async function prepareCopy(folder) {
  // Only installs, because each mutant is built separately.
  await prepare({ build: false })
  if (!existsSync(join(folder, '.git'))) execFileSync('git', ['clone', '--quiet', '--shared', ROOT, folder])
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  execFileSync('git', ['reset', '--quiet', '--hard', head], { cwd: folder })
  const older = readdirSync(join(ROOT, 'server/older-postgres')).map((major) => `server/older-postgres/${major}`)
  for (const place of ['.', 'web/testing', ...older]) {
    const [from, to] = [join(ROOT, place, 'node_modules'), join(folder, place, 'node_modules')]
    // Copies workspace links as relative links, which then point into the copy.
    if (existsSync(from) && !existsSync(to))
      await cp(from, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
  }
}

/** @param {Mutant} mutant @returns {Promise<Outcome>} */
async function testMutant(mutant) {
  const { name, suite, tests } = mutant
  if (!applyPatch(mutant)) return { mutant, verdict: 'DOES NOT APPLY' }
  try {
    let found = await findFailures(name, suite, ['--bail=1', ...tests])
    if (found?.length === 0 && options.whole) found = await findFailures(name, suite, ['--bail=1'])
    const [failure] = found ?? []
    return { mutant, verdict: found === undefined ? 'NO RESULTS' : failure ? CAUGHT_VERDICT : 'NOT CAUGHT', failure }
  } finally {
    revertPatch()
  }
}

/** Reruns failed test files without patches. @param {readonly Outcome[]} outcomes @returns {Promise<Outcome[]>} */
async function rerunWithoutPatches(outcomes) {
  /** @type {string[]} */
  const red = []
  for (const suite of /** @type {const} */ (['test', 'sweep'])) {
    const files = outcomes.flatMap(({ mutant, failure }) => (mutant.suite === suite && failure ? [failure.file] : []))
    if (files.length === 0) continue
    const failed = await findFailures(`without-${suite}`, suite, [...new Set(files)])
    if (failed === undefined) process.exitCode = 1
    red.push(...(failed ?? []).map(({ file, test }) => `${suite} ${file} ${test}`))
  }
  return outcomes.map((outcome) => {
    const { mutant, failure } = outcome
    const isRed = failure !== undefined && red.includes(`${mutant.suite} ${failure.file} ${failure.test}`)
    return isRed ? { ...outcome, verdict: 'FAILS WITHOUT IT' } : outcome
  })
}

/** @param {Mutant} mutant */
function applyPatch({ path }) {
  return spawnSync('git', ['apply', '-C1', path], { cwd: copyFolder }).status === 0
}

function revertPatch() {
  execFileSync('git', ['reset', '--quiet', '--hard'], { cwd: copyFolder })
  execFileSync('git', ['clean', '--quiet', '--force', '-d'], { cwd: copyFolder })
}

/**
 * @param {string} name of the log file @param {Mutant['suite']} suite @param {readonly string[]} args for Vitest
 * @returns {Promise<Failure[] | undefined>} undefined if no file ran
 */
async function findFailures(name, suite, args) {
  const results = join(copyFolder, `coverage/${suite}-results.json`)
  rmSync(results, { force: true })
  const log = join(LOGS_FOLDER, `${name}.log`)
  const output = openSync(log, 'w')
  const config = suite === 'sweep' ? ['--config', 'vitest.sweeps.config.ts'] : []
  try {
    const all = ['tools/test.js', ...config, ...vitest, ...args]
    await run(process.execPath, all, { cwd: copyFolder, stdio: ['ignore', output, output] })
  } finally {
    closeSync(output)
  }
  const failed = existsSync(results) ? failuresIn(JSON.parse(readFileSync(results, 'utf8'))) : undefined
  if (failed === undefined) console.log(`No test ran; see ${log}`)
  return failed
}

/**
 * @param {{ testResults: readonly { name: string, status: string, assertionResults: readonly { fullName: string, status: string }[] }[] }} results
 *   as Vitest writes them
 * @returns {Failure[] | undefined} undefined if no file ran
 */
function failuresIn({ testResults }) {
  if (testResults.length === 0) return undefined
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(copyFolder, name)
    const tests = assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => fullName)
    if (tests.length === 0 && status === 'failed') tests.push('the file cannot be loaded')
    return tests.map((test) => ({ file, test }))
  })
}

/** @param {Outcome} outcome */
function formatOutcome({ mutant, verdict, failure }) {
  const by = failure === undefined ? mutant.fault : `${failure.file}: ${failure.test}`
  return `${mutant.name.padEnd(32)}${mutant.area.padEnd(12)}${mutant.suite.padEnd(7)}${verdict.padEnd(12)}${by}`
}

/** @param {readonly Outcome[]} outcomes */
function printReport(outcomes) {
  const caught = outcomes.filter(({ verdict }) => verdict === CAUGHT_VERDICT)
  const bySweeps = caught.filter(({ mutant }) => mutant.suite === 'sweep')
  console.log(`\n${outcomes.map(formatOutcome).join('\n')}\n`)
  const [all, tests] = [outcomes.length, caught.length - bySweeps.length]
  console.log(`${caught.length} of ${all} caught, ${tests} by npm test, ${bySweeps.length} only by the sweeps.`)
  if (caught.length < all || bySweeps.length > MAX_SWEEP_MUTANTS) process.exitCode = 1
}
