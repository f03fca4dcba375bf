import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { SystemAccount } from './account.ts'
import { socketDirectory } from './socket-path.ts'

const PORT = 5432
const SUPERUSER = 'parley'
const DATABASE = 'parley'

/** The setting `lc_messages` keeps this log message in English. */
const READY_MESSAGE = 'database system is ready to accept connections'
/** Far longer than replaying `max_wal_size` of WAL takes. */
const MAX_RECOVERY_MINUTES = 10
const MAX_REMEMBERED_LINES = 20
const LAST_LINES_WAIT_MILLISECONDS = 200

export const SOCKET_NAME = `.s.PGSQL.${PORT}`

export interface Cluster {
  /** Contained in the command line of all the cluster's processes (see `processes.ts`). */
  readonly name: string
  readonly directory: string
  readonly binaries: string
  readonly account: SystemAccount | undefined
  readonly major: number
  readonly settings?: Readonly<Record<string, string>> | undefined
}

const POSTGRES_SETTINGS: Record<string, string> = {
  // A socket only for this account and root. The path is relative, so its full length and permissions do not matter.
  listen_addresses: '',
  unix_socket_directories: '..',
  unix_socket_permissions: '0700',
  port: String(PORT),

  // Acknowledged writes survive a power failure.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',

  // For small machines: PostgreSQL uses 18 MiB idle. Untouched shared pages are free; each process costs over 1 MiB.
  shared_buffers: '32MB',
  huge_pages: 'off',
  // Replaces /dev/shm, which is small in containers and which systemd clears at logout.
  min_dynamic_shared_memory: '4MB',
  max_connections: '60',
  io_method: 'sync',
  max_worker_processes: '4',
  max_parallel_workers: '2',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  jit: 'off',
  autovacuum: 'on',

  wal_level: 'replica',
  max_wal_senders: '4',
  max_replication_slots: '4',
  // Limits the size of the WAL on disk, and therefore the recovery time.
  max_wal_size: '512MB',
  min_wal_size: '64MB',
  checkpoint_timeout: '10min',

  // Logs no SQL and no values, which contain people's messages.
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  lc_messages: 'C',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/** First major version that supports a setting. */
const FIRST_MAJOR_VERSION_BY_SETTING: Readonly<Record<string, number>> = { io_method: 18 }

export const POSTGRES_ENVIRONMENT = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' }

/** Returns a path to the directory for a process that starts in it, but may lack access to the parent folders. */
export function pathFromInside(directory: string, account: SystemAccount | undefined): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : directory
}

export interface PostgresProcess {
  readonly pid: number
  readonly ended: Promise<string>
  ready(): Promise<void>
}

export function spawnServer(cluster: Cluster, log: (line: string) => void): PostgresProcess {
  const settings = Object.entries({ ...POSTGRES_SETTINGS, ...cluster.settings })
    .filter(([name]) => (FIRST_MAJOR_VERSION_BY_SETTING[name] ?? 0) <= cluster.major)
    .flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(
    `${cluster.binaries}/bin/postgres`,
    // The name comes first, because processes.ts expects it there.
    ['-c', `cluster_name=${cluster.name}`, '-D', pathFromInside(cluster.directory, cluster.account), ...settings],
    {
      ...cluster.account,
      cwd: cluster.directory,
      env: POSTGRES_ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe'],
      // PostgreSQL gets its own session, so that Ctrl-C reaches only Parley, which stops PostgreSQL last.
      detached: true,
    },
  )
  const lastLines: string[] = []
  const accepting = new Promise<true>((accept) => {
    const readLine = (line: string): void => {
      log(line)
      if (line.includes(READY_MESSAGE)) accept(true)
      lastLines.push(line)
      if (lastLines.length > MAX_REMEMBERED_LINES) lastLines.shift()
    }
    let begun = ''
    // Splits lines without readline, which would add 1 ms to every start.
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      const lines = (begun + text).split('\n')
      begun = lines.pop() ?? ''
      for (const line of lines) readLine(line)
    })
    child.stderr.on('end', () => {
      if (begun !== '') readLine(begun)
    })
  })
  const ended = new Promise<string>((end) => {
    child.once('error', (error) => end(error.message))
    child.once('exit', (code, signal) => {
      const reason = signal ?? `exit code ${code}`
      // Waits for the last lines, which give the reason, but only briefly: orphaned processes can keep the pipe open.
      child.once('close', () => end(reason))
      setTimeout(end, LAST_LINES_WAIT_MILLISECONDS, reason).unref()
    })
  })

  return {
    pid: child.pid ?? 0,
    ended,
    async ready() {
      const timeout = sleep(MAX_RECOVERY_MINUTES * 60_000, undefined, { ref: false })
      const end = await Promise.race([accepting, ended, timeout])
      if (end === undefined) throw new Error(`PostgreSQL is not ready after ${MAX_RECOVERY_MINUTES} minutes`)
      if (end !== true)
        throw new Error(`PostgreSQL did not start in ${cluster.directory} (${end}): ${lastLines.join('\n')}`)
    },
  }
}

export function connectionTo(directory: string, database = DATABASE) {
  return { host: directory, port: PORT, user: SUPERUSER, database }
}

export async function requireDatabase(directory: string): Promise<void> {
  await withClient(connectionTo(directory, 'postgres'), async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`)
  })
}

export async function withClient<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  // Loaded lazily: PostgreSQL starts before most of the program is loaded.
  const { default: driver } = await import('pg')
  const client = new driver.Client({ ...connection, ssl: false })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

export interface RunningPostgres {
  readonly connection: ReturnType<typeof connectionTo>
  readonly release: () => Promise<void>
}

/** Error codes during startup and shutdown, including that of a missing database. */
const NOT_READY_CODES = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', '57P03', '3D000']

/** Limits the wait for a suspended cluster, which accepts connections without answering. */
const ANSWER_TIMEOUT_MILLISECONDS = 5_000
/** The driver's message for a connection timeout, an error without a code. */
const TIMEOUT_MESSAGE = 'timeout expired'

/** Returns undefined if the cluster is starting, stopping, or not answering. */
export async function findRunningPostgres(dataDirectory: string): Promise<RunningPostgres | undefined> {
  const socket = await socketDirectory(join(resolve(dataDirectory), 'postgres'), SOCKET_NAME)
  const connection = connectionTo(socket.path)
  try {
    await withClient({ ...connection, connectionTimeoutMillis: ANSWER_TIMEOUT_MILLISECONDS }, async () => {})
    return { connection, release: () => socket.release() }
  } catch (error) {
    await socket.release()
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (typeof code === 'string' && NOT_READY_CODES.includes(code)) return undefined
    if (error instanceof Error && error.message === TIMEOUT_MESSAGE) return undefined
    throw error
  }
}
