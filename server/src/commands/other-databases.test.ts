import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { runHere, useCommandLine } from '../testing/command-line.ts'
import type { Body } from '../testing/user.ts'

const commandLine = useCommandLine()

/** Hands on a new database, and removes it afterwards. @param options as `create database` takes them */
async function withNewDatabase(options: string, use: (url: string, client: pg.Client) => Promise<void>): Promise<void> {
  const name = `other_${randomUUID().replaceAll('-', '')}`
  const { host, user } = inject('postgres')
  const [outside, inside] = [
    new pg.Client(inject('postgres')),
    new pg.Client({ ...inject('postgres'), database: name }),
  ]
  await outside.connect()
  try {
    await outside.query(`create database ${name} ${options}`)
    await inside.connect()
    await use(`postgres://${user ?? ''}@/${name}?host=${encodeURIComponent(host ?? '')}`, inside)
  } finally {
    await inside.end()
    await outside.query(`drop database ${name} with (force)`)
    await outside.end()
  }
}

it('says of an empty database that no server has started on it, and makes nothing there', async () => {
  const parley = await commandLine()
  await withNewDatabase('', async (url, client) => {
    const { stdout } = await runHere(['doctor', '--json'], { ...parley.settings, DATABASE_URL: url })
    const { findings } = JSON.parse(stdout) as { findings: Body[] }
    const found = findings.filter(({ check }) => check === 'database' || check === 'schema')
    expect(found).toMatchObject([{ check: 'schema', state: 'notice', trouble: 'schema_missing' }])
    const tables = await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`)
    expect(tables.rowCount).toBe(0)
  })
})

it('uses no database of another encoding, and says how one is made', async () => {
  const parley = await commandLine()
  const latin = `encoding 'LATIN1' locale_provider libc locale 'C' template template0`
  await withNewDatabase(latin, async (url, client) => {
    expect(await runHere(['user', 'list'], { ...parley.settings, DATABASE_URL: url })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'parley: Cannot use the PostgreSQL that DATABASE_URL names: its encoding is LATIN1, and UTF8 is needed: ' +
        `create database parley encoding 'UTF8' template template0\n`,
    })
    const tables = await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`)
    expect(tables.rowCount).toBe(0)
  })
})
