#!/usr/bin/env node
// Makes the clone runnable if it is not yet, then becomes the command that was asked for: one process.
import { fileURLToPath } from 'node:url'
import { load } from '../tools/load.js'
import { prepare } from '../tools/prepare.js'

try {
  await prepare()
} catch (error) {
  console.error(`parley: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
load(fileURLToPath(new URL('../dist/main.cjs', import.meta.url)))
