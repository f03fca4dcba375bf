import { CompiledQuery, Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Db, ReadDb, SnapshotDb, TransactionDb } from '../../kernel/transaction.ts'
import type { Tables } from '../../kernel/tables.ts'
import { ApiError } from '../../kernel/refusal.ts'
import { createFairQueue } from '../turns.ts'
import { pipelinedReads, sendPipelined, type HeldLock, type PipelinedReads, type ReadsEvents } from './pipelined.ts'
import { unblockedReads } from './reads.ts'
import { batchQueries } from './together.ts'

/** `bigint` and `bigint[]` columns contain positions, which will fit in a JavaScript number for centuries. */
const BIGINT_OID = 20
// The driver's list of type IDs lacks array types.
const BIGINT_ARRAY_OID: number = 1016
pg.types.setTypeParser(BIGINT_OID, Number)
// V8 parses JSON 2.4 times as fast as it splits text.
pg.types.setTypeParser(BIGINT_ARRAY_OID, (text: string): unknown =>
  JSON.parse(`[${text.slice(1, -1).replaceAll('NULL', 'null')}]`),
)

/** More connections would only wait for locks: each organization has one writer. */
const POOL_SIZE = 8

/** Connections of one process: its pool, three for reads, one for lookups, and one that listens to the bus. */
export const MAX_CONNECTIONS = POOL_SIZE + 5

/** A statement that takes seconds occupies a core of the database, so each account can run only one at a time. */
const SLOW_READ_LIMITS = { atOnce: 3, perAccount: 1, waiting: 1_000 } as const

/** Without these, the planner sorts all messages for a topic's newest 100 (363 ms, not 6), and scans small tables. */
const PLANNER_SETTINGS =
  '-c jit=off -c enable_bitmapscan=off -c random_page_cost=1.1 -c plan_cache_mode=force_generic_plan -c timezone=UTC'

/** Limit for idle transactions that hold no organization's lock. It is long, because the process may be busy. */
const IDLE_IN_TRANSACTION_TIMEOUT_SECONDS = 30
/** Locks normally last milliseconds. A statement that waits this long fails and can be retried. */
const LOCK_TIMEOUT_SECONDS = 10
/** Statement timeout as a multiple of the request deadline, because some work continues after its request. */
const STATEMENT_TIMEOUT_IN_DEADLINES = 2
/** Time after the statement timeout until the connection counts as dead. */
const SILENCE_TIMEOUT_SECONDS = 5
const CONNECT_TIMEOUT_SECONDS = 10

/** Timeouts after which the database releases the locks of a frozen process. TCP notices a lost machine after 10 s. */
const TIMEOUT_SETTINGS: readonly string[] = [
  `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_TIMEOUT_SECONDS}s`,
  `lock_timeout=${LOCK_TIMEOUT_SECONDS}s`,
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=10000',
]

export function sessionOptions(statementSeconds: number): string {
  const settings = [...TIMEOUT_SETTINGS, `statement_timeout=${statementSeconds}s`]
  return [PLANNER_SETTINGS, ...settings.map((setting) => `-c ${setting}`)].join(' ')
}

export interface Database {
  readonly kysely: Kysely<Tables>
  /** Reads outside transactions, many in flight on one connection. */
  readonly reads: ReadDb
  /** Like `reads`, but polls due at the same moment become one statement. */
  readonly polls: Db
  /** For small writes, which can wait for a standby, and for lookups before a write. Long reads use `reads`. */
  readonly lookups: Db
  readonly pool: pg.Pool
  hold(text: string): Promise<HeldLock>
  connection(): Promise<Connection>
  snapshot<Result>(read: (db: SnapshotDb) => Promise<Result>): Promise<Result>
  transaction<Result>(run: (db: TransactionDb) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export interface Connection {
  readonly database: Database
  rows<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
  /** @param isUsable whether the connection can be reused */
  release(isUsable: boolean): void
}

const KEEP_ALIVE_DELAY_MILLISECONDS = 5_000

export interface ConnectionOptions extends pg.ClientConfig {
  readonly Client?: typeof pg.Client
}

export function clientFor(connection: ConnectionOptions, more: pg.ClientConfig = CONNECTION_DEFAULTS): pg.Client {
  const { Client = pg.Client } = connection
  return new Client({ ...connection, ...more })
}

export const CONNECTION_DEFAULTS = {
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MILLISECONDS,
  connectionTimeoutMillis: CONNECT_TIMEOUT_SECONDS * 1000,
} satisfies pg.ClientConfig

export interface DatabaseEvents extends ReadsEvents {
  readonly onOther?: ((client: pg.ClientBase) => Promise<void>) | undefined
}

export function timeoutOptions(deadlineSeconds: number): pg.ClientConfig {
  const statementSeconds = STATEMENT_TIMEOUT_IN_DEADLINES * deadlineSeconds
  return {
    ...CONNECTION_DEFAULTS,
    options: sessionOptions(statementSeconds),
    // After this timeout, the driver abandons the connection and all queries queued on it.
    query_timeout: (statementSeconds + SILENCE_TIMEOUT_SECONDS) * 1000,
  }
}

/** @param events callbacks for the connection of `reads` and for errors of all connections */
export function openDatabase(connection: ConnectionOptions, deadlineSeconds: number, events: DatabaseEvents): Database {
  const options: ConnectionOptions = { ...connection, ...timeoutOptions(deadlineSeconds) }
  const { onOther = async () => Promise.resolve() } = events
  // With `pipeline`, statements of a transaction are sent without waiting for earlier results.
  const pool = new pg.Pool({
    ...options,
    pipeline: true,
    max: POOL_SIZE,
    idleTimeoutMillis: 30_000,
    verify: (client, done) => void onOther(client).then(() => done(), done),
  })
  // The pool replaces idle connections that the server drops. Without a listener, `error` events would end the process.
  pool.on('error', events.onError)
  // Ignores the loss of a connection between two statements of a transaction: the next statement will fail.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const openAnother = (): PipelinedReads => pipelinedReads(options, { onError: events.onError, onConnect: onOther })
  const reads = unblockedReads(pipelinedReads(options, events), openAnother)
  const lookups = openAnother()
  const database: Database = {
    kysely,
    reads: { rows: async (name, text, values) => reads.rows(name, text, values), aside: createSlowReads(pool) },
    polls: batchQueries(reads),
    lookups,
    pool,
    hold: async (text) => reads.hold(text),
    async connection() {
      const client = await pool.connect()
      return {
        database,
        async rows<Row>(name: string, text: string, values: readonly unknown[]) {
          const result = await client.query({ name, text, values: [...values] })
          // Safe: the author of a statement declares its row type.
          return result.rows as Row[]
        },
        release: (isUsable) => client.release(!isUsable),
      }
    },
    snapshot: createSnapshotRunner(pool),
    transaction: createTransactionRunner(pool),
    close: async () => {
      await Promise.all([kysely.destroy(), reads.close(), lookups.close()])
      // Ends the pool if Kysely did not: Kysely ends only a pool that it has used.
      if (!pool.ending) await pool.end()
    },
  }
  return database
}

function createSlowReads(pool: pg.Pool): ReadDb['aside'] {
  const refuse = (): never => {
    throw new ApiError('RATE_LIMIT_HIT', 'Too many searches are running. Try again later.', { 'retry-after': 1 })
  }
  const inTurn = createFairQueue(SLOW_READ_LIMITS.atOnce, SLOW_READ_LIMITS.waiting, refuse, SLOW_READ_LIMITS.perAccount)
  return (account) => ({
    rows: async <Row>(name: string, text: string, values: readonly unknown[]) => {
      const { rows } = await inTurn(async () => pool.query({ name, text, values: [...values] }), account)
      // Safe: the author of a statement declares its row type.
      return rows as Row[]
    },
  })
}

/** Limited: reading in a snapshot takes about as much CPU time in the database as in this process. */
const MAX_CONCURRENT_SNAPSHOTS = 3

function createSnapshotRunner(pool: pg.Pool): Database['snapshot'] {
  const dbOf = createClientBinder('snapshot')
  const waiting: (() => void)[] = []
  let running = 0
  const turn = async (): Promise<void> => {
    running += 1
    if (running <= MAX_CONCURRENT_SNAPSHOTS) return
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
    })
  }
  return async (read) => {
    await turn()
    let client: pg.PoolClient | undefined
    const end = (isBroken: boolean): void => {
      client?.release(isBroken)
      running -= 1
      waiting.shift()?.()
    }
    try {
      client = await pool.connect()
      sendPipelined(client)
      const begun = client.query('start transaction isolation level repeatable read, read only')
      const [result] = await Promise.all([read(dbOf(client)), begun])
      // The rows are valid even if the commit of this read-only transaction fails.
      client.query('commit').then(
        () => end(false),
        () => end(true),
      )
      return result
    } catch (error) {
      end(true)
      throw error
    }
  }
}

function createTransactionRunner(pool: pg.Pool): Database['transaction'] {
  const dbOf = createClientBinder('transaction')
  return async (run) => {
    const client = await pool.connect()
    let isUsable = false
    try {
      await client.query('begin')
      // Safe: the client is now in a transaction. The type only tells callees that they can write.
      const db = dbOf(client) as TransactionDb
      const result = await run(db)
      await client.query('commit')
      isUsable = true
      return result
    } catch (error) {
      await client.query('rollback').then(
        () => (isUsable = true),
        () => undefined,
      )
      throw error
    } finally {
      client.release(!isUsable)
    }
  }
}

/** Gives each client a `Kysely` that sends statements immediately: Kysely's own transactions wait for each result. */
function createClientBinder(use: string): (client: pg.PoolClient) => SnapshotDb {
  const dbs = new WeakMap<pg.PoolClient, SnapshotDb>()
  const nameOf = createStatementNamer(use)
  return (client) => {
    const known = dbs.get(client)
    if (known !== undefined) return known
    const query = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
      sendPipelined(client)
      return client.query({ name: nameOf(text), text, values: [...values] })
    }
    // Safe: Kysely's driver calls no other methods.
    const only = { query, release: () => undefined } as unknown as PostgresPoolClient
    const dialect = new PostgresDialect({ pool: { connect: async () => only, end: async () => undefined } })
    const db = asDb(new Kysely<Tables>({ dialect }))
    dbs.set(client, db)
    return db
  }
}

/** Exceeds the number of distinct statements in the code, apart from those with lists of varying length. */
const MAX_NAMED_STATEMENTS = 200

/** Matches `select *`, whose plan is not kept: its result type changes when a newer version adds a column. */
const ALL_COLUMNS_PATTERN = /\*(?!\))/

/** Names statements so that the database keeps their plans: planning most of them takes longer than running them. */
function createStatementNamer(use: string): (text: string) => string | undefined {
  const names = new Map<string, string | undefined>()
  return (text) => {
    const known = names.get(text)
    if (known === undefined && names.size < MAX_NAMED_STATEMENTS) {
      names.set(text, ALL_COLUMNS_PATTERN.test(text) ? undefined : `${use}_${names.size}`)
    }
    return known
  }
}

function asDb<Asked extends Kysely<Tables>>(connection: Asked): Asked & Db {
  const rows: Db['rows'] = async <Row>(_name: string, text: string, parameters: readonly unknown[]) => {
    const result = await connection.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))
    return result.rows
  }
  return Object.assign(connection, { rows })
}
