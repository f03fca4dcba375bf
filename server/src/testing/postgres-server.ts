import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { prepareHome, type SystemAccount } from '../platform/embedded/account.ts'
import { installedPackage, runnableBinaries } from '../platform/embedded/binaries.ts'
import { runInitdb } from '../platform/embedded/initdb.ts'
import { POSTGRES_ENVIRONMENT, pathFromInside } from '../platform/embedded/server.ts'
import { freePort } from './free-port.ts'

const POLL_INTERVAL_MILLISECONDS = 20

interface Cluster {
  readonly home: string
  readonly account: SystemAccount | undefined
  readonly binaries: string
  readonly port: number
}

/** Primary or standby in a separate process, listening on TCP. Can stop and restart at the same address. */
export class PostgresServer {
  readonly #cluster: Cluster
  #child: ChildProcess | undefined
  #said = ''

  private constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  static async start(): Promise<PostgresServer> {
    const server = new PostgresServer(await prepareCluster())
    const { home, account, binaries } = server.#cluster
    const draft = join(home, 'data')
    await mkdirFor(draft, account)
    await runInitdb(binaries, draft, account)
    await writeFile(
      join(draft, 'pg_hba.conf'),
      'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n',
    )
    await server.begin()
    return server
  }

  /** Stops the primary briefly to copy its data to standbys. @param names the standbys' application names */
  async standbys(...names: readonly string[]): Promise<PostgresServer[]> {
    await this.end('SIGINT')
    const made = await Promise.all(
      names.map(async (name) => {
        const standby = new PostgresServer(await prepareCluster())
        await standby.#copyOf(this, name)
        return standby
      }),
    )
    await this.begin()
    for (const standby of made) await standby.begin()
    return made
  }

  get port(): number {
    return this.#cluster.port
  }

  get connection(): pg.ClientConfig {
    return { host: '127.0.0.1', port: this.port, user: 'parley', database: 'postgres' }
  }

  urlOf(database: string): string {
    return `postgres://parley@127.0.0.1:${this.port}/${database}`
  }

  async begin(): Promise<void> {
    const { home, account, binaries, port } = this.#cluster
    const directory = join(home, 'data')
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: '',
      max_connections: 60,
      shared_buffers: '16MB',
      // Killing the process does not lose written data.
      fsync: 'off',
      hot_standby_feedback: 'on',
      max_standby_streaming_delay: '1s',
      wal_receiver_status_interval: '1s',
      wal_retrieve_retry_interval: '100ms',
      lc_messages: 'C',
    }
    const child = spawn(
      `${binaries}/bin/postgres`,
      [
        '-D',
        pathFromInside(directory, account),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { ...account, cwd: directory, env: POSTGRES_ENVIRONMENT, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    this.#child = child
    this.#said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#said += text))
    while (!(await this.#answers())) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}: ${this.#said}`)
      await sleep(POLL_INTERVAL_MILLISECONDS)
    }
  }

  /** SIGKILL simulates a lost machine; SIGINT shuts down after standbys have received everything. */
  async end(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child?.pid === undefined || child.exitCode !== null) return
    const ended = once(child, 'exit')
    if (signal === 'SIGKILL') await this.#signalAll(child.pid, signal)
    else child.kill(signal)
    await ended
  }

  async signalAll(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    await this.#signalAll(this.#child?.pid ?? 0, signal)
  }

  async ask<Row extends pg.QueryResultRow>(text: string, database = 'postgres'): Promise<Row[]> {
    const client = new pg.Client({ ...this.connection, database })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }

  async close(): Promise<void> {
    await this.end('SIGKILL')
    await rm(this.#cluster.home, { recursive: true, force: true, maxRetries: 10 })
  }

  async #copyOf(primary: PostgresServer, name: string): Promise<void> {
    const { home, account } = this.#cluster
    const data = join(home, 'data')
    await cp(join(primary.#cluster.home, 'data'), data, { recursive: true })
    await writeFile(join(data, 'standby.signal'), '')
    const followed = `host=127.0.0.1 port=${primary.port} user=parley application_name=${name}`
    await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${followed}'\n`)
    await chmod(data, 0o700)
    if (account !== undefined) await chownAll(data, account)
  }

  /** Signals the postmaster first, because it would replace processes that ended. */
  async #signalAll(postmaster: number, signal: NodeJS.Signals): Promise<void> {
    const processes = [postmaster]
    for (const name of await readdir('/proc')) {
      if (!/^\d+$/.test(name)) continue
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      if (parent === postmaster) processes.push(Number(name))
    }
    for (const pid of processes) kill(pid, signal)
  }

  async #answers(): Promise<boolean> {
    return this.ask('select 1').then(
      () => true,
      () => false,
    )
  }
}

async function prepareCluster(): Promise<Cluster> {
  const home = await mkdtemp(join(tmpdir(), 'parley-postgres-'))
  const account = await prepareHome(home)
  const { native, version } = installedPackage()
  const copy = account === undefined ? join(home, 'binaries') : join('/var/lib/parley', `postgres-${version}`)
  return { home, account, binaries: await runnableBinaries(native, copy, account), port: await freePort() }
}

async function mkdirFor(directory: string, account: SystemAccount | undefined): Promise<void> {
  await mkdir(directory, { mode: 0o700 })
  if (account !== undefined) await chown(directory, account.uid, account.gid)
}

async function chownAll(directory: string, { uid, gid }: SystemAccount): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true })) await chown(join(directory, entry), uid, gid)
  await chown(directory, uid, gid)
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}
