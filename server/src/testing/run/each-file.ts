/* Measures CPU time for the reporter, and drops the file's databases. */
import { afterAll } from 'vitest'
import { dropDatabases } from '../databases.ts'
import { cpuSecondsSoFar } from './cpu-time.ts'

const before = cpuSecondsSoFar()

// Hooks run in reverse order, so this hook follows all hooks of the file.
afterAll(async ({}, { file }) => {
  await dropDatabases()
  file.meta.cpuSeconds = cpuSecondsSoFar() - before
})
