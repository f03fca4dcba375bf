#!/usr/bin/env node
// Makes the clone runnable if it is not yet, then becomes the command that was asked for: one process.
import { prepare } from '../tools/prepare.js'

try {
  await prepare()
} catch (error) {
  console.error(`parley: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
// Stack traces name the TypeScript sources.
process.setSourceMapsEnabled(true)
// Written by prepare(), so it need not exist when this file is checked.
const main = new URL('../dist/main.js', import.meta.url)
await import(main.href)
