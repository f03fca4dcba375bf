// `npm run test:newest-node`: runs the tests on Node's current LTS release, which it installs from npm.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, ROOT } from './prepare.js'
import { run } from './run.js'

const NODE_PACKAGE_FOLDER = join(ROOT, 'tools/newest-node')
const PROGRAM = join(NODE_PACKAGE_FOLDER, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node')

try {
  await prepare()
  await prepare({ root: NODE_PACKAGE_FOLDER, build: false })
  if (existsSync(PROGRAM)) {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.newest-node.config.ts']
    process.exitCode = await run(PROGRAM, [...vitest, ...process.argv.slice(2)], { cwd: ROOT })
  } else {
    console.error('npm run test:newest-node: npm has no Node package for this system; nothing was tested.')
  }
} catch (error) {
  console.error(`npm run test:newest-node: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
