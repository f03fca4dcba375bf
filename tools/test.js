// `npm test` and `npm run test:sweeps`. Arguments go to Vitest: `npm test -- reactions`.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, ROOT } from './prepare.js'
import { run } from './run.js'

const SWEEPS = 'vitest.sweeps.config.ts'

try {
  // Tests open the web client as it was built, in a browser that is no part of the product.
  await prepare()
  await prepare({ root: join(ROOT, 'web/testing'), build: false })
  // These make the data of older major versions of PostgreSQL, which the sweeps upgrade. No release brings them.
  const older = join(ROOT, 'server/older-postgres')
  const majors = process.argv.includes(SWEEPS) ? readdirSync(older) : []
  for (const major of majors) await prepare({ root: join(older, major), build: false })
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]
  process.exitCode = await run(process.execPath, vitest, { cwd: ROOT })
} catch (error) {
  console.error(`npm test: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
