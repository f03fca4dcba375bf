import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { installedProgram } from '../../../tools/installed-program.js'
import { capabilities } from '../capabilities.ts'
import { migrateDatabase } from '../platform/db/migrate.ts'
import { allMigrations } from '../platform/db/migrations/index.ts'
import { startEmbeddedPostgres } from '../platform/embedded/start.ts'
import { sightingsOf, type Sighting } from './contract-check.ts'
import { TEMPLATE_DATABASE } from './template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Server that all tests share; each test file has its own database. */
    postgres: { host: string; port: number; user: string; database: string }
    /** Path of the program `nats-server`; undefined if it is not installed. */
    natsServer: string | undefined
  }
}

/** A test file that starts several servers exceeds the default of 60 connections. */
const SETTINGS = { max_connections: '150' }

let stop: () => Promise<void> = async () => Promise.resolve()

export async function setup(project: TestProject): Promise<void> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const postgres = await startEmbeddedPostgres({ dataDirectory, log: () => undefined, settings: SETTINGS })
  const admin = new pg.Client(postgres.connection)
  await admin.connect()
  await admin.query(`create database ${TEMPLATE_DATABASE}`)
  // Test data does not have to survive a power failure. Tests that kill a database use their own.
  await admin.query('alter role current_user set synchronous_commit = off')
  await admin.end()
  const template = new pg.Client({ ...postgres.connection, database: TEMPLATE_DATABASE })
  await template.connect()
  await migrateDatabase(template, allMigrations(capabilities))
  await template.end()
  const sightings = sightingsOf(String(project.config.env['PARLEY_TEST_SUITE']))
  await rm(sightings, { recursive: true, force: true })
  await mkdir(sightings, { recursive: true })
  project.provide('postgres', { ...postgres.connection })
  project.provide('natsServer', findNatsServer())
  stop = async () => {
    await mergeReports(sightings)
    const stopped = postgres.stop()
    // Immediate shutdown, because the data is deleted next.
    process.kill(postgres.pid, 'SIGQUIT')
    await stopped
    await rm(dataDirectory, { recursive: true, force: true })
  }
}

export async function teardown(): Promise<void> {
  await stop()
}

/** NATS is not part of Parley. Most systems have a package: `apt-get install nats-server`. */
function findNatsServer(): string | undefined {
  const found = installedProgram('nats-server')
  if (found === undefined) {
    if (process.env['CI'] !== undefined) throw new Error('nats-server is not installed')
    process.stderr.write('Skipped the tests of the NATS bus: nats-server is not installed.\n')
  }
  return found
}

async function mergeReports(folder: string): Promise<void> {
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const seen = texts.flatMap((text) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Sighting),
  )
  const named = (kind: Sighting['kind']): string[] =>
    [...new Set(seen.filter((sighting) => sighting.kind === kind).map((sighting) => sighting.name))].toSorted()
  // Register fields are not separate answers.
  const answers = seen.filter(({ kind }) => kind !== 'register field')
  const report = {
    checked: answers.reduce((sum, sighting) => sum + sighting.count, 0),
    endpoints: named('endpoint'),
    errorCodes: named('error'),
    eventTypes: named('event'),
    registerFields: named('register field'),
  }
  await writeFile(`${folder}.json`, JSON.stringify(report, null, 2))
}
