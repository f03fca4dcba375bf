import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Account } from './account.ts'

const PORT = 5432
const SUPERUSER = 'parley'
const DATABASE = 'parley'

/** The line that the server logs once it accepts connections; `lc_messages` keeps it English. */
const READY = 'database system is ready to accept connections'
/** Far more than replaying max_wal_size takes. Until then a server which lives is recovering, and says so in the log. */
const LONGEST_RECOVERY_MINUTES = 10
const REMEMBERED_LINES = 20
const LAST_LINES_MILLISECONDS = 200

export const SOCKET_NAME = `.s.PGSQL.${PORT}`

export interface Cluster {
  /** In the command line of all its processes; unique on this machine, see processes.ts. */
  readonly name: string
  readonly directory: string
  readonly binaries: string
  readonly account: Account | undefined
  /** The version of PostgreSQL, without the number of the fix. */
  readonly major: number
  /** Settings in place of ours. */
  readonly settings?: Readonly<Record<string, string>> | undefined
}

/**
 * Given on the command line, so that a new version of Parley brings its settings to old data.
 * A team which needs others outgrew the embedded server: that is what DATABASE_URL is for.
 */
const SETTINGS: Record<string, string> = {
  // One socket in the parent of the cluster's directory, which only we and root can enter; nothing on the network.
  // Relative, so that the server is indifferent to how long that path is and to who may walk it.
  listen_addresses: '',
  unix_socket_directories: '..',
  unix_socket_permissions: '0700',
  port: String(PORT),

  // An acknowledged write survives a power failure.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',

  // A small machine: 18 MiB idle. Shared pages cost nothing until touched, each process costs more than a megabyte.
  shared_buffers: '32MB',
  huge_pages: 'off',
  // The server's statistics find room here, where neither a container's small /dev/shm nor the systemd that tidies it
  // when the user logs out is in their way.
  min_dynamic_shared_memory: '4MB',
  max_connections: '60',
  io_method: 'sync',
  max_worker_processes: '4',
  max_parallel_workers: '2',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  jit: 'off',
  autovacuum: 'on',

  // Enough for a base backup; bounds the log on the disk, and with it the time a recovery takes.
  wal_level: 'replica',
  max_wal_senders: '4',
  max_replication_slots: '4',
  max_wal_size: '512MB',
  min_wal_size: '64MB',
  checkpoint_timeout: '10min',

  // Parley's log gets the lines. Never the text or the values of statements: people's messages are in them.
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

/** The first major version that knows a setting, where an older one that is still read does not. */
const KNOWN_SINCE: Readonly<Record<string, number>> = { io_method: 18 }

/** None of Parley's own environment, which contains secrets, and none of the PG* variables someone may have set. */
export const ENVIRONMENT = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' }

/**
 * How a program started in the cluster's directory names it. The data may lie in root's home, which the account that
 * runs PostgreSQL cannot enter. Its working directory is set before its uid, though, and the kernel resolves this
 * name without walking the path to it; PostgreSQL's children inherit it.
 */
export function pathFromInside(directory: string, account: Account | undefined): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : directory
}

export interface Server {
  readonly pid: number
  /** Why it ended. Never rejects. */
  readonly ended: Promise<string>
  /** Resolves when it accepts connections. */
  ready(): Promise<void>
}

export function spawnServer(cluster: Cluster, log: (line: string) => void): Server {
  const settings = Object.entries({ ...SETTINGS, ...cluster.settings })
    .filter(([name]) => (KNOWN_SINCE[name] ?? 0) <= cluster.major)
    .flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(
    `${cluster.binaries}/bin/postgres`,
    // The name first: processes.ts looks for it there.
    ['-c', `cluster_name=${cluster.name}`, '-D', pathFromInside(cluster.directory, cluster.account), ...settings],
    {
      ...cluster.account,
      cwd: cluster.directory,
      env: ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe'],
      // A session of its own: Ctrl-C in the terminal is for Parley, which ends PostgreSQL last.
      detached: true,
    },
  )
  const lastLines: string[] = []
  const accepting = new Promise<true>((resolve) => {
    const readLine = (line: string): void => {
      log(line)
      if (line.includes(READY)) resolve(true)
      lastLines.push(line)
      if (lastLines.length > REMEMBERED_LINES) lastLines.shift()
    }
    let begun = ''
    // Lines are not split by readline, which takes 1 ms of every start.
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      const lines = (begun + text).split('\n')
      begun = lines.pop() ?? ''
      for (const line of lines) readLine(line)
    })
    child.stderr.on('end', () => {
      if (begun !== '') readLine(begun)
    })
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => {
      const reason = signal ?? `exit code ${code}`
      // Its last lines say why; but orphans of a killed postmaster may keep the pipe open.
      child.once('close', () => resolve(reason))
      setTimeout(resolve, LAST_LINES_MILLISECONDS, reason).unref()
    })
  })

  return {
    pid: child.pid ?? 0,
    ended,
    async ready() {
      const late = sleep(LONGEST_RECOVERY_MINUTES * 60_000, undefined, { ref: false })
      const end = await Promise.race([accepting, ended, late])
      if (end === undefined) throw new Error(`No PostgreSQL after ${LONGEST_RECOVERY_MINUTES} minutes`)
      if (end !== true)
        throw new Error(`PostgreSQL did not start in ${cluster.directory} (${end}): ${lastLines.join('\n')}`)
    },
  }
}

export function connectionTo(socketDirectory: string, database = DATABASE) {
  return { host: socketDirectory, port: PORT, user: SUPERUSER, database }
}

/** Makes the database at the first start, or when that was interrupted before. */
export async function requireDatabase(socketDirectory: string): Promise<void> {
  await withClient(connectionTo(socketDirectory, 'postgres'), async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`)
  })
}

/** Connects for one piece of work. */
export async function withClient<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  // Loaded where it is used: the server is started before most of the program is there.
  const { default: driver } = await import('pg')
  const client = new driver.Client({ ...connection, ssl: false })
  // A connection lost between two steps fails the next step; without a listener the event would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}
