// `npm run check`: the steps that a change should pass before it is pushed, in a minute or two. `npm test` and CI run
// every test. `npm run check -- lint types` runs only those steps.
import { join } from 'node:path'
import { prepare, ROOT } from './prepare.js'
import { run } from './run.js'

/** Skipped: these tests rarely find problems, and start and kill processes or fill an organization to its limits. */
const LONG_TESTS = [
  'e2e/**',
  'tools/**',
  'server/src/commands/**',
  'server/src/platform/embedded/**',
  'bench/worst/worst.generated.test.ts',
  'web/**',
]

const TEST_EFFORT = '0.05'

/** @type {Record<string, readonly (readonly string[])[]>} */
const STEPS = {
  // Checks only files that changed since the last success.
  format: [['node_modules/prettier/bin/prettier.cjs', '--check', '--cache', '--log-level=warn', '.']],
  lint: [['node_modules/oxlint/bin/oxlint']],
  types: [
    ['node_modules/typescript/bin/tsc'],
    ['node_modules/typescript/bin/tsc', '-p', 'client'],
    ['node_modules/typescript/bin/tsc', '-p', 'tools'],
    ['node_modules/typescript/bin/tsc', '-p', 'bench'],
    ['node_modules/typescript/bin/tsc', '-p', 'web'],
    ['node_modules/typescript/bin/tsc', '-p', 'web/src/service-worker'],
    ['node_modules/typescript/bin/tsc', '-p', 'web/src/rendering-worker'],
    ['node_modules/typescript/bin/tsc', '-p', 'web/src/solving-worker'],
    ['node_modules/typescript/bin/tsc', '-p', 'web/testing'],
  ],
  test: [['tools/test.js', ...LONG_TESTS.map((files) => `--exclude=${files}`)]],
}

const requestedSteps = process.argv.slice(2)
const unknownSteps = requestedSteps.filter((name) => !(name in STEPS))
if (unknownSteps.length > 0) {
  console.error(`Unknown step ${unknownSteps.join(', ')}. Steps: ${Object.keys(STEPS).join(', ')}.`)
  process.exit(1)
}

process.env['PARLEY_TEST_EFFORT'] ??= TEST_EFFORT
await prepare({ build: false })
await prepare({ root: join(ROOT, 'web/testing'), build: false })
for (const [name, commands] of Object.entries(STEPS)) {
  if (requestedSteps.length > 0 && !requestedSteps.includes(name)) continue
  const started = Date.now()
  for (const command of commands) {
    const code = await run(process.execPath, command, { cwd: ROOT })
    if (code !== 0) {
      console.error(`✗ ${name}, ${secondsSince(started)}`)
      process.exit(code)
    }
  }
  console.log(`✓ ${name}, ${secondsSince(started)}`)
}

/** @param {number} started */
function secondsSince(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`
}
