import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isUnavailable, NO_PRIMARY_MESSAGE } from './unavailable.ts'

/* Asks every server before each connection whether it is the primary, because a failover can change the answer. */

const ANSWER_TIMEOUT_MILLISECONDS = 2_000
const WAIT_FOR_MORE_ANSWERS_MILLISECONDS = 250

/** Each promotion starts a higher timeline; an old primary that returns still has the previous timeline. */
const HOST_STATE_SQL = `
  select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as "isPrimary",
    case when not pg_is_in_recovery() then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`

interface HostState {
  readonly isPrimary: boolean
  readonly timeline: number | null
}

export interface Host {
  readonly host: string
  readonly port: number
}

interface PrimaryHost extends Host {
  readonly timeline: number
}

export function primaryClient(connection: pg.ClientConfig, hosts: readonly Host[]): typeof pg.Client {
  const primary = new PrimarySearch(connection, hosts)
  return class PrimaryClient extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connecting = this.#connect()
      if (callback === undefined) return connecting
      // Passes no argument on success, as the pool expects.
      connecting.then(() => (callback as (error?: Error) => void)(), callback)
      return undefined
    }

    async #connect(): Promise<pg.Client> {
      Object.assign(this, await primary.find())
      await super.connect()
      return this
    }
  }
}

class PrimarySearch {
  readonly #connection: pg.ClientConfig
  readonly #hosts: readonly Host[]
  /** Highest timeline seen. A primary with a lower timeline has been replaced. */
  #timeline = 0
  #finding: Promise<Host> | undefined

  constructor(connection: pg.ClientConfig, hosts: readonly Host[]) {
    this.#connection = connection
    this.#hosts = hosts
  }

  async find(): Promise<Host> {
    this.#finding ??= this.#find().finally(() => (this.#finding = undefined))
    return this.#finding
  }

  async #find(): Promise<Host> {
    const found: PrimaryHost[] = []
    const errors: unknown[] = []
    const checks = this.#hosts.map(async (host) => {
      const { isPrimary, timeline } = await this.#ask(host)
      if (isPrimary && timeline !== null) found.push({ ...host, timeline })
    })
    const settled = checks.map(async (check) => check.catch((error: unknown) => errors.push(error)))
    const all = Promise.all(settled)
    // The first writable server is enough; if none is writable, wait for all answers.
    await Promise.any([...checks.map(async (check) => check.then(() => requireSinglePrimary(found))), all])
    await Promise.race([all, sleep(WAIT_FOR_MORE_ANSWERS_MILLISECONDS, undefined, { ref: false })])
    const [newest] = found.toSorted((one, other) => other.timeline - one.timeline)
    if (newest === undefined || newest.timeline < this.#timeline) {
      // Report a lasting error, such as a wrong password, first.
      const lasting = errors.find((error) => error instanceof Error && !isUnavailable(error))
      throw lasting instanceof Error ? lasting : new Error(NO_PRIMARY_MESSAGE)
    }
    this.#timeline = newest.timeline
    return { host: newest.host, port: newest.port }
  }

  async #ask({ host, port }: Host): Promise<HostState> {
    const limits = { connectionTimeoutMillis: ANSWER_TIMEOUT_MILLISECONDS, query_timeout: ANSWER_TIMEOUT_MILLISECONDS }
    const client = new pg.Client({ ...this.#connection, ...limits })
    Object.assign(client, { host, port })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<HostState>(HOST_STATE_SQL)
      return rows[0] ?? { isPrimary: false, timeline: null }
    } finally {
      client.end().catch(() => undefined)
    }
  }
}

function requireSinglePrimary(found: readonly PrimaryHost[]): void {
  if (found.length === 0) throw new Error(NO_PRIMARY_MESSAGE)
}

/** Splits a URL with several hosts into URLs with one host each. */
export function splitUrlByHost(url: string): string[] {
  const [scheme = ''] = /^\w+:\/\//.exec(url) ?? []
  const [authority = ''] = /^[^/?#]*/.exec(url.slice(scheme.length)) ?? []
  const rest = url.slice(scheme.length + authority.length)
  const at = authority.lastIndexOf('@') + 1
  const [login, hosts] = [authority.slice(0, at), authority.slice(at)]
  return hosts.split(',').map((host) => `${scheme}${login}${host}${rest}`)
}
