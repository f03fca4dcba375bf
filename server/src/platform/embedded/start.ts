import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { lchown, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from '../folders.ts'
import { prepareHome, type SystemAccount } from './account.ts'
import { areRunnable, installedPackage, runnableBinaries, type InstalledPackage } from './binaries.ts'
import { runInitdb } from './initdb.ts'
import { lockDataDirectory, type DataDirectoryLock } from './lock.ts'
import { clusterNameFor } from './processes.ts'
import { connectionTo, requireDatabase, SOCKET_NAME, type Cluster, type PostgresProcess } from './server.ts'
import { socketDirectory } from './socket-path.ts'
import { launchServer, Supervision, type LaunchOptions } from './supervision.ts'

export interface EmbeddedPostgres {
  /** `host` is the socket's directory. If its path is too long, the database is reachable only from this process. */
  readonly connection: {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly database: string
  }
  /** Process ID of the postmaster, which changes after a crash. */
  readonly pid: number
  readonly firstStart: boolean
  /** Shuts down fast; resolves when the data directory is free. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  readonly dataDirectory: string
  readonly log: (message: string, details?: object) => void
  readonly meanwhile?: () => void
  /** PostgreSQL settings, for tests that need more connections. */
  readonly settings?: Readonly<Record<string, string>>
  readonly publicDirectory?: string
}

/**
 * Contents of the data directory:
 *   lock/         see lock.ts
 *   postgres/     private to PostgreSQL's account; contains the socket
 *     data/       the cluster
 *     unfinished  until the database in a new cluster is created
 *     binaries-…/ a copy of the programs, only if node_modules is unusable
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const installed = installedPackage()
  const dataDirectory = resolve(options.dataDirectory)
  try {
    if (!existsSync(dataDirectory)) await makeFolder(dataDirectory)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Cannot create the data directory ${dataDirectory}: ${reason}`, { cause: error })
  }
  const lock = await lockDataDirectory(dataDirectory)
  try {
    return await startWithHeldLock(join(dataDirectory, 'postgres'), installed, options, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Starts an older major version of PostgreSQL. The caller must hold the data directory's lock. */
export async function startOlderPostgres(options: EmbeddedOptions, older: InstalledPackage): Promise<EmbeddedPostgres> {
  return startWithHeldLock(join(resolve(options.dataDirectory), 'postgres'), older, options, {
    release: async () => {},
  })
}

async function startWithHeldLock(
  home: string,
  { native, version }: InstalledPackage,
  options: EmbeddedOptions,
  lock: DataDirectoryLock,
): Promise<EmbeddedPostgres> {
  const { log } = options
  const account = await prepareHome(home)
  const copy = account
    ? join(options.publicDirectory ?? '/var/lib/parley', `postgres-${version}`)
    : join(home, `binaries-${version}`)
  const directory = join(home, 'data')
  refuseOtherMajorVersion(directory, version)
  const before = findLastUsedBinaries(directory, [native, copy])
  const binaries = before ?? (await runnableBinaries(native, copy, account))
  const firstStart = await initializeCluster(home, binaries, account)
  const { uid } = statSync(directory)
  const major = parseMajorVersion(version)
  const { settings } = options
  const cluster: Cluster = { name: clusterNameFor(directory), directory, binaries, account, major, settings }
  const socket = await socketDirectory(home, SOCKET_NAME)
  if (socket.shortened) log(`The path of ${home} is too long for a socket: using ${socket.path} instead`)

  let launch: LaunchOptions = { home, uid, cluster, log, meanwhile: options.meanwhile }
  let server: PostgresProcess
  try {
    server = await launchServer(launch)
  } catch (error) {
    if (before === undefined || (await areRunnable(before, account))) throw error
    launch = { ...launch, cluster: { ...cluster, binaries: await runnableBinaries(native, copy, account) } }
    server = await launchServer(launch)
  }
  if (launch.cluster.binaries !== native) {
    log('PostgreSQL cannot be run in node_modules: running a copy', { binaries: launch.cluster.binaries })
  }
  if (existsSync(unfinishedMarkerIn(home))) {
    await requireDatabase(socket.path)
    await rm(unfinishedMarkerIn(home))
  }
  const supervision = new Supervision(server, launch)
  let stopped: Promise<void> | undefined

  async function stop(): Promise<void> {
    await supervision.stop()
    await socket.release()
    await lock.release()
  }
  return {
    connection: connectionTo(socket.path),
    get pid() {
      return supervision.pid
    },
    firstStart,
    stop: () => (stopped ??= stop()),
  }
}

function findLastUsedBinaries(directory: string, candidates: readonly string[]): string | undefined {
  const note = join(directory, 'postmaster.opts')
  const command = existsSync(note) ? readFileSync(note, 'utf8') : ''
  return candidates.find((binaries) => command.startsWith(`${binaries}/bin/postgres "`))
}

/** File that marks a new cluster until its database is created. */
const unfinishedMarkerIn = (home: string): string => join(home, 'unfinished')

/** Creates the cluster in a draft folder, so that an interrupted first start leaves nothing that looks like data. */
async function initializeCluster(home: string, binaries: string, account: SystemAccount | undefined): Promise<boolean> {
  for (const name of readdirSync(home)) {
    // An interrupted initdb may still be writing; the next start removes the rest.
    if (name.startsWith('initializing-')) await rm(join(home, name), { recursive: true, force: true }).catch(() => {})
  }
  if (existsSync(join(home, 'data'))) return false
  const draft = join(home, `initializing-${randomBytes(4).toString('hex')}`)
  await mkdir(draft, { mode: 0o700 })
  if (account) await lchown(draft, account.uid, account.gid)
  await runInitdb(binaries, draft, account)
  await writeFile(unfinishedMarkerIn(home), '')
  await rename(draft, join(home, 'data'))
  for (const directory of [home, dirname(home)]) {
    const handle = await open(directory)
    await handle.sync()
    await handle.close()
  }
  return true
}

export function parseMajorVersion(version: string): number {
  return Number.parseInt(version, 10)
}

export function readClusterMajorVersion(directory: string): number | undefined {
  try {
    const major = parseMajorVersion(readFileSync(join(directory, 'PG_VERSION'), 'utf8'))
    return Number.isNaN(major) ? undefined : major
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function refuseOtherMajorVersion(directory: string, version: string): void {
  const [made, brought] = [readClusterMajorVersion(directory), parseMajorVersion(version)]
  if (made === undefined || made === brought) return
  const what = `The database in ${dirname(dirname(directory))} was made by PostgreSQL ${made}, but this version of Parley includes PostgreSQL ${brought}.`
  throw new Error(
    made > brought
      ? `${what} Start a newer version of Parley.`
      : `${what} Run \`parley upgrade-database\` once, which copies it and keeps the old one.`,
  )
}
