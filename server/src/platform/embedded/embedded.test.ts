import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, cp, mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { stopUnusedPostgres, openEmbeddedPostgres, startPostgresAhead } from './ahead.ts'
import { findClusterProcesses } from './processes.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './start.ts'

const IS_ROOT = process.geteuid?.() === 0
const POLL_OPTIONS = { timeout: 30_000, interval: 20 }

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** Folder that PostgreSQL's account cannot enter, like root's home. */
let scratch: string
let data: string
const toStop: EmbeddedPostgres[] = []
const toKill: ChildProcess[] = []
const lines: string[] = []

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), 'parley-embedded-')))
  data = join(scratch, 'data')
})
afterEach(async () => {
  for (const child of toKill.splice(0)) child.kill('SIGKILL')
  for (const running of toStop.splice(0)) await running.stop()
  lines.length = 0
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

async function start(dataDirectory = data): Promise<EmbeddedPostgres> {
  const running = await startEmbeddedPostgres({ dataDirectory, log: (line) => lines.push(line) })
  toStop.push(running)
  return running
}

/** Copying is much faster than creating new data. */
async function copyData(name: string): Promise<string> {
  const directory = join(scratch, name)
  await (await start()).stop()
  await cp(data, directory, { recursive: true })
  return directory
}

async function query(connection: EmbeddedPostgres['connection'], text: string): Promise<unknown[]> {
  const client = new pg.Client({ ...connection })
  client.on('error', () => {})
  await client.connect()
  try {
    // rowMode 'array' returns arrays, which pg's types do not express.
    const { rows } = await client.query<unknown[] & object>({ text, rowMode: 'array' })
    return rows.flat()
  } finally {
    await client.end()
  }
}

async function isProcessRunning(pid: number): Promise<boolean> {
  const { dev, ino, uid } = await stat(join(data, 'postgres/data'))
  const processes = await findClusterProcesses(`parley-${dev}-${ino}`, uid)
  return processes.some((one) => one.pid === pid)
}

describe('embedded PostgreSQL', () => {
  it('creates a durable database that only its owner can access, and reopens it', async () => {
    const first = await start()
    expect(first.firstStart).toBe(true)
    expect(first.connection).toEqual({ host: join(data, 'postgres'), port: 5432, user: 'parley', database: 'parley' })
    expect((await stat(first.connection.host)).mode & 0o777).toBe(0o700)
    const show = async (name: string) => (await query(first.connection, `SHOW ${name}`))[0]
    expect(await show('listen_addresses')).toBe('')
    expect(await show('fsync')).toBe('on')
    expect(await show('data_checksums')).toBe('on')
    expect(await show('server_encoding')).toBe('UTF8')
    expect(
      await query(first.connection, `SELECT datlocprovider, datlocale FROM pg_database WHERE datname = 'parley'`),
    ).toEqual(['b', 'C.UTF-8'])
    expect(await query(first.connection, `SELECT lower('ÄÖ'), usesuper FROM pg_user`)).toEqual(['äö', true])
    await query(first.connection, `CREATE TABLE kept AS SELECT 'here' AS word`)
    await first.stop()
    expect(await isProcessRunning(first.pid)).toBe(false)

    const second = await start()
    expect(second.firstStart).toBe(false)
    expect(await query(second.connection, 'TABLE kept')).toEqual(['here'])
  })

  it('logs neither text nor values of failed statements', async () => {
    const { connection } = await start()
    await query(connection, 'CREATE TABLE secrets (word text UNIQUE)')
    await query(connection, `INSERT INTO secrets VALUES ('confidential')`)
    await expect(query(connection, `INSERT INTO secrets VALUES ('confidential')`)).rejects.toThrow('duplicate key')
    await vi.waitFor(() => expect(lines.join('\n')).toContain('duplicate key'), POLL_OPTIONS)
    expect(lines.join('\n')).not.toContain('confidential')
  })

  it('stops PostgreSQL even while a transaction is open', async () => {
    const running = await start()
    const client = new pg.Client({ ...running.connection })
    client.on('error', () => {})
    await client.connect()
    await client.query('BEGIN; CREATE TABLE unfinished ()')
    await running.stop()
    expect(await isProcessRunning(running.pid)).toBe(false)
  })

  it('runs PostgreSQL in its own process group, which Ctrl-C does not reach', async () => {
    const { pid } = await start()
    expect(() => process.kill(-pid, 0)).not.toThrow()
  })

  it('refuses to start a second Parley process until the first stops, and names the first', async () => {
    const first = await start()
    await expect(start()).rejects.toThrow(`Another Parley, process ${process.pid}, is using the data directory ${data}`)
    expect(await query(first.connection, 'SELECT 1')).toEqual([1])
    await first.stop()
    await start()
  })

  it('restarts PostgreSQL with the same data after it is killed', async () => {
    const running = await start()
    const { pid } = running
    await query(running.connection, `CREATE TABLE committed AS SELECT 1 AS n`)
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(async () => expect(await query(running.connection, 'TABLE committed')).toEqual([1]), POLL_OPTIONS)
    await vi.waitFor(() => expect(running.pid).not.toBe(pid), POLL_OPTIONS)
    expect(lines).toContain('PostgreSQL ended unexpectedly: starting it again')
  })

  it('stops on request while PostgreSQL repeatedly fails to start', async () => {
    const running = await start()
    const configuration = join(data, 'postgres/data/postgresql.auto.conf')
    const good = await readFile(configuration)
    const failures = () => lines.filter((line) => line === 'PostgreSQL did not start').length
    const killed = running.pid
    await writeFile(configuration, 'nonsense')
    process.kill(killed, 'SIGKILL')
    await vi.waitFor(() => expect(failures()).toBeGreaterThan(1), POLL_OPTIONS)
    await writeFile(configuration, good)
    await vi.waitFor(() => query(running.connection, 'SELECT 1'), POLL_OPTIONS)
    // PostgreSQL answers shortly before its supervisor knows that it is ready.
    await vi.waitFor(() => expect(running.pid).not.toBe(killed), POLL_OPTIONS)

    await writeFile(configuration, 'nonsense')
    const before = failures()
    process.kill(running.pid, 'SIGKILL')
    await vi.waitFor(() => expect(failures()).toBeGreaterThan(before), POLL_OPTIONS)
    await running.stop()
    await writeFile(configuration, good)
    await start()
  })

  it('starts despite a stale PID file with the PID of another process', async () => {
    await (await start()).stop()
    const owner = await stat(join(data, 'postgres'))
    // Runs under the same UID, because PostgreSQL ignores processes of other users here.
    const stranger = spawn('sleep', ['60'], { uid: owner.uid, gid: owner.gid })
    toKill.push(stranger)
    const left = `${stranger.pid}\n/data\n1700000000\n5432\n\n\n\nready   \n`
    await writeFile(join(data, 'postgres/data/postmaster.pid'), left)
    await writeFile(join(data, 'postgres/.s.PGSQL.5432.lock'), left)
    await start()
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  })

  it('initializes the data again after an interrupted first start', async () => {
    const directory = join(scratch, 'interrupted')
    await mkdir(join(directory, 'postgres/initializing-12345678/base'), { recursive: true })
    await writeFile(join(directory, 'postgres/initializing-12345678/PG_VERSION'), '18\n')
    const running = await start(directory)
    expect(running.firstStart).toBe(true)
    const left = await readdir(join(directory, 'postgres'))
    for (const name of ['initializing-12345678', 'unfinished']) expect(left).not.toContain(name)
  })

  it('takes over a PostgreSQL server that was started in advance, including its log', async () => {
    await (await start()).stop()
    expect(await startPostgresAhead({ PARLEY_DATA_DIR: data })).toBe(false)
    const running = await openEmbeddedPostgres({ dataDirectory: data, log: (line) => lines.push(line) })
    toStop.push(running)
    expect(await query(running.connection, 'TABLE kept')).toEqual(['here'])
    expect(lines.join('\n')).toContain('ready to accept connections')
    await expect(start()).rejects.toThrow('Another Parley')
  })

  it('stops a PostgreSQL server that was started in advance but never taken over', async () => {
    await startPostgresAhead({ PARLEY_DATA_DIR: data })
    await stopUnusedPostgres()
    const { dev, ino, uid } = await stat(join(data, 'postgres/data'))
    expect(await findClusterProcesses(`parley-${dev}-${ino}`, uid)).toEqual([])
    await start()
  })

  it('does not start PostgreSQL early if its data is missing or DATABASE_URL is set', async () => {
    const never = join(scratch, 'never')
    expect(await startPostgresAhead({ PARLEY_DATA_DIR: never })).toBe(true)
    expect(existsSync(never)).toBe(false)
    await startPostgresAhead({ PARLEY_DATA_DIR: data, DATABASE_URL: 'postgres://elsewhere' })
    await start()
  })

  it('creates a missing database after an interrupted first start', async () => {
    const directory = await copyData('unfinished')
    const first = await start(directory)
    await query({ ...first.connection, database: 'postgres' }, 'DROP DATABASE parley')
    await first.stop()
    await writeFile(join(directory, 'postgres/unfinished'), '')
    const second = await start(directory)
    expect(await query(second.connection, 'SELECT 1')).toEqual([1])
    expect(await readdir(join(directory, 'postgres'))).not.toContain('unfinished')
  })

  it('works in a directory whose path is too long for a socket', async () => {
    const directory = await copyData('long'.repeat(30))
    const running = await start(directory)
    expect(await query(running.connection, 'SELECT 1')).toEqual([1])
    expect(lines.join('\n')).toContain('too long for a socket')
    await expect(start(directory)).rejects.toThrow('Another Parley')
  })

  it.runIf(IS_ROOT)('takes ownership of data that root restored from a backup', async () => {
    await (await start()).stop()
    for (const entry of [...(await readdir(data, { recursive: true })), '.']) await chown(join(data, entry), 0, 0)
    const running = await start()
    expect(await query(running.connection, 'TABLE kept')).toEqual(['here'])
    expect((await stat(join(data, 'postgres/data/PG_VERSION'))).uid).not.toBe(0)
  })
})
