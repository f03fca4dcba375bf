import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { TEMPLATE_DATABASE } from './template.ts'

export type TestDatabase = pg.ClientConfig & { readonly database: string }

const createdDatabases: string[] = []

/** Creates a database, which is dropped when the test file ends. */
export async function createDatabase({ prefix = 'test', template = TEMPLATE_DATABASE } = {}): Promise<TestDatabase> {
  const database = `${prefix}_${randomUUID().replaceAll('-', '')}`
  createdDatabases.push(database)
  await askDatabase(inject('postgres'), `create database ${database} template ${template} strategy file_copy`)
  return { ...inject('postgres'), database }
}

export function databaseUrl({ host, port, user, database }: pg.ClientConfig): string {
  return `postgres://${user ?? ''}@/${database ?? ''}?host=${encodeURIComponent(host ?? '')}&port=${port ?? 5432}`
}

/** @returns the rows of the last statement */
export async function askDatabase(
  database: pg.ClientConfig,
  ...statements: readonly string[]
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    let rows: readonly Readonly<Record<string, unknown>>[] = []
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

export async function dropDatabases(): Promise<void> {
  for (const database of createdDatabases.splice(0))
    await askDatabase(inject('postgres'), `drop database if exists ${database} with (force)`)
}
