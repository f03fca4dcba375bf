// `npm test` and `npm run test:sweeps`. Arguments go to Vitest: `npm test -- reactions`.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, ROOT } from './prepare.js'
import { run } from './run.js'

const SWEEPS_CONFIG = 'vitest.sweeps.config.ts'

try {
  await prepare()
  await prepare({ root: join(ROOT, 'web/testing'), build: false })
  // Sweeps need older PostgreSQL versions to create data to upgrade. Releases do not include these versions.
  const older = join(ROOT, 'server/older-postgres')
  const majors = process.argv.includes(SWEEPS_CONFIG) ? readdirSync(older) : []
  for (const major of majors) await prepare({ root: join(older, major), build: false })
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]
  process.exitCode = await run(process.execPath, vitest, { cwd: ROOT })
} catch (error) {
  console.error(`npm test: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
