import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import {
  openEmbeddedPostgres,
  startOlderPostgres,
  type InstalledPackage,
} from '../../server/src/platform/embedded/index.ts'
import { upload } from '../../server/src/testing/files.ts'
import type { Random } from '../../server/src/testing/random.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { logIn } from '../crash/log-in.ts'
import { retryUntilSuccess, type RetryContext } from '../crash/requests.ts'
import { ServerProcess } from '../crash/server-process.ts'
import type { Releases } from './releases.ts'

/** A server of the older release, to be upgraded. */
export interface Scene {
  /** Initially runs the older release. */
  readonly server: ServerProcess
  readonly owner: TestUser
  readonly releases: Releases
  readonly patience: RetryContext
  readonly scratch: string
}

export async function withScene(found: Releases, random: Random, work: (scene: Scene) => Promise<void>): Promise<void> {
  const server = await ServerProcess.start({}, undefined, found.older)
  const scratch = await mkdtemp(join(tmpdir(), 'parley-upgrade-'))
  const over = new AbortController()
  const patience = { random, over: over.signal }
  try {
    const owner = await logIn(server.url, patience)
    await work({ server, owner, releases: found, patience, scratch })
  } finally {
    over.abort()
    await server.close()
    await rm(scratch, { recursive: true, force: true, maxRetries: 10 })
  }
  expect(server.accidents).toEqual([])
}

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunningProcess {
  readonly child: ChildProcess
  readonly stderr: () => string
  readonly ended: Promise<Outcome>
}

export function startCommand(
  root: string,
  args: readonly string[],
  data: string,
  environment: Record<string, string> = {},
): RunningProcess {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, PARLEY_DATA_DIR: data, PORT: '0', ...environment }
  const child = spawn(process.execPath, [join(root, 'bin/parley.js'), ...args], { env })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, stdout, stderr }))
  return { child, stderr: () => stderr, ended }
}

export const runParley = async (...args: Parameters<typeof startCommand>): Promise<Outcome> =>
  startCommand(...args).ended

/** Upgrades with the current build, where the older programs are already installed. */
export const runUpgrade = async (data: string, ...options: string[]): Promise<Outcome> =>
  runParley(process.cwd(), ['upgrade-database', ...options], data)

/** Sorted entries of the database's folder. */
export const databaseFolders = async (data: string): Promise<string[]> =>
  (await readdir(join(data, 'postgres')))
    .filter((name) => !name.startsWith('binaries-') && !name.startsWith('.'))
    .toSorted()

export async function query(data: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ host: join(data, 'postgres'), user: 'parley', database: 'parley' })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

export async function createContents({ owner }: Scene): Promise<{ address: string; bytes: Buffer }> {
  await owner.subscribe(['garden', 'kitchen'])
  const bytes = Buffer.alloc(200_000, 'kept')
  const address = await upload(owner, 'kept.bin', bytes)
  for (let count = 0; count < 40; count += 1) {
    const id = await owner.send('garden', `Topic ${count % 3}`, `Ünïcode 🌱 **${count}**\n\n[kept](${address})`)
    if (count % 4 === 0) await owner.call('POST', `/messages/${id}/reactions`, { emoji_name: 'heart' })
    if (count % 5 === 0) await owner.call('PATCH', `/messages/${id}`, { content: `Edited ${count} \\ 'quoted'\ttab` })
  }
  await owner.sendTo([owner.id], 'To myself')
  return { address, bytes }
}

/** Everything that a client can read. */
export async function fetchVisibleData({
  owner,
  patience,
}: Scene): Promise<{ readonly state: object; readonly messages: readonly unknown[] }> {
  await retryUntilSuccess(owner, 'GET', '/users/me', {}, patience)
  const { state } = await owner.register()
  const { messages } = await owner.call('GET', '/messages', { anchor: 'oldest', num_before: 0, num_after: 500 })
  const lasting = Object.fromEntries(Object.entries(state).filter(([name]) => !CHANGING_FIELDS.includes(name)))
  return { state: lasting, messages }
}

const CHANGING_FIELDS = ['queue_id', 'server_generation', 'server_timestamp']

/** Schema and contents of all tables, without differences between PostgreSQL versions. */
export async function describeDatabase(data: string, older?: InstalledPackage): Promise<object> {
  const options = { dataDirectory: data, log: () => undefined }
  const running = await (older === undefined ? openEmbeddedPostgres(options) : startOlderPostgres(options, older))
  try {
    return await readDatabase(data)
  } finally {
    await running.stop()
  }
}

async function readDatabase(data: string): Promise<object> {
  const tables = await query(
    data,
    `select c.relname as name, (xpath('/row/count/text()',
       query_to_xml(format('select count(*) from %I', c.relname), false, true, '')))[1]::text as count
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
  )
  return {
    tables,
    indexes: await query(data, `select indexdef from pg_indexes where schemaname = 'public' order by indexname`),
    constraints: await query(
      data,
      // Newer versions also list NOT NULL constraints.
      `select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition, convalidated
       from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n' order by 1, 2`,
    ),
    columns: await query(
      data,
      `select table_name, column_name, data_type, is_nullable, column_default, is_generated from information_schema.columns
       where table_schema = 'public' order by 1, 2`,
    ),
    triggers: await query(data, `select tgname, tgenabled from pg_trigger where not tgisinternal order by 1`),
    sequences: await query(data, `select sequencename, last_value from pg_sequences order by 1`),
    positions: await query(data, 'select id, position from organizations order by id'),
    queues: await query(data, 'select * from queues order by id'),
  }
}

/** Sends a message, even while the server is still starting. @returns its ID */
export async function sendMessage({ owner, patience }: Scene, content: string): Promise<number> {
  await retryUntilSuccess(owner, 'GET', '/users/me', {}, patience)
  return owner.sendTo([owner.id], content)
}
