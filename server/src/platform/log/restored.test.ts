import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { databaseIdentity, recognizeRestoredDatabase } from './restored.ts'
import { TEMPLATE_DATABASE } from '../../testing/template.ts'

async function withDatabaseClient<Result>(name: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ ...inject('postgres'), database: name })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const start = async (name: string): Promise<boolean> =>
  withDatabaseClient(name, async (client) =>
    recognizeRestoredDatabase(client, await databaseIdentity(client, undefined)),
  )

function newDatabaseName(): string {
  return `restored_${randomUUID().replaceAll('-', '')}`
}

it('detects a database that was recreated from a dump', async () => {
  const [name, dump] = [newDatabaseName(), newDatabaseName()]
  const admin = new pg.Client(inject('postgres'))
  await admin.connect()
  await admin.query(`create database ${name} template ${TEMPLATE_DATABASE}`)
  expect([await start(name), await start(name)]).toEqual([false, false])
  await admin.query(`create database ${dump} template ${name}`)
  await admin.query(`drop database ${name}`)
  await admin.query(`alter database ${dump} rename to ${name}`)
  expect([await start(name), await start(name)]).toEqual([true, false])
  await admin.query(`drop database ${name}`)
  await admin.end()
})

it('detects a database whose tables were recreated from a dump', async () => {
  const name = newDatabaseName()
  const admin = new pg.Client(inject('postgres'))
  await admin.connect()
  await admin.query(`create database ${name} template ${TEMPLATE_DATABASE}`)
  expect([await start(name), await start(name)]).toEqual([false, false])
  await withDatabaseClient(name, async (client) =>
    client.query(
      `create table dumped (like database_place including all);
       insert into dumped select * from database_place;
       drop table database_place;
       alter table dumped rename to database_place`,
    ),
  )
  expect([await start(name), await start(name)]).toEqual([true, false])
  await admin.query(`drop database ${name}`)
  await admin.end()
})

it('skips IDs once when two servers start on a restored database', async () => {
  const name = newDatabaseName()
  const admin = new pg.Client(inject('postgres'))
  await admin.connect()
  await admin.query(`create database ${name} template ${TEMPLATE_DATABASE}`)
  expect(await withDatabaseClient(name, async (client) => recognizeRestoredDatabase(client, 'before'))).toBe(false)
  const after = await withDatabaseClient(name, async (first) =>
    withDatabaseClient(name, async (second) =>
      Promise.all([first, second].map(async (client) => recognizeRestoredDatabase(client, 'after'))),
    ),
  )
  expect(after.filter(Boolean)).toEqual([true])
  await admin.query(`drop database ${name}`)
  await admin.end()
})
