import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { TEMPLATE_DATABASE } from './template.ts'

const created: string[] = []

/** Creates a copy of the migrated template, or of another database, that is dropped when the test file has finished. */
export async function createDatabase({ prefix = 'test', template = TEMPLATE_DATABASE } = {}): Promise<
  pg.ClientConfig & { readonly database: string }
> {
  const database = `${prefix}_${randomUUID().replaceAll('-', '')}`
  created.push(database)
  await askCluster(`create database ${database} template ${template} strategy file_copy`)
  return { ...inject('postgres'), database }
}

/** Drops what `createDatabase` created, with the connections that a failed test left open. */
export async function dropDatabases(): Promise<void> {
  for (const database of created.splice(0)) await askCluster(`drop database if exists ${database} with (force)`)
}

async function askCluster(sql: string): Promise<void> {
  const client = new pg.Client(inject('postgres'))
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
