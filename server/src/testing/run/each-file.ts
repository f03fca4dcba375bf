/*
 * What happens around every test file: its CPU time is measured, of this worker and what it starts, for the reporter to
 * read; and its databases are dropped.
 */
import { afterAll } from 'vitest'
import { dropDatabases } from '../databases.ts'
import { cpuSecondsSoFar } from './cpu-time.ts'

const before = cpuSecondsSoFar()

// Hooks run in reverse order: this one runs after every hook of the file.
afterAll(async ({}, { file }) => {
  await dropDatabases()
  Object.assign(file.meta, { cpuSeconds: cpuSecondsSoFar() - before })
})
