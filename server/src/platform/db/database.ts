import { CompiledQuery, Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Db, SnapshotDb, TransactionDb } from '../../kernel/transaction.ts'
import type { Tables } from '../../kernel/tables.ts'
import { pipelinedReads, sendTogether, type Holding, type ReadsEvents } from './pipelined.ts'
import { together } from './together.ts'

/** `bigint` and `bigint[]` columns contain positions, which will fit a JavaScript number for centuries. */
const BIGINT = 20
// The driver's list of type IDs lacks array types.
const BIGINT_ARRAY: number = 1016
pg.types.setTypeParser(BIGINT, Number)
// V8 parses JSON 2.4 times as fast as it splits text, and arrays can be very long.
pg.types.setTypeParser(BIGINT_ARRAY, (text: string): unknown =>
  JSON.parse(`[${text.slice(1, -1).replaceAll('NULL', 'null')}]`),
)

/** Concurrent transactions. Each organization has one writer, so more would only wait for locks. */
const POOL_SIZE = 8

/**
 * Settings of every connection. With bitmap scans and JIT, the planner sorts everything for "the newest 100 of a topic"
 * (363 ms instead of 6 ms), so both are off. Generic plans avoid planning every call. The low random_page_cost makes
 * repeated lookups use an index even in small tables (3 us instead of 45 us per row).
 */
const PLANNING =
  '-c jit=off -c enable_bitmapscan=off -c random_page_cost=1.1 -c plan_cache_mode=force_generic_plan -c timezone=UTC'

/** Idle limit of transactions without an organization's lock; the process may be busy. */
const IDLE_IN_TRANSACTION_SECONDS = 30
/** Locks are held for milliseconds. A statement that waits this long fails and can be retried. */
const LOCK_WAIT_SECONDS = 10
/** Statement timeout, in request deadlines: a statement can be part of work that continues after its request. */
const STATEMENT_DEADLINES = 2
/**
 * The database enforces the statement timeout. If it has not reported one by this much later, the connection is dead.
 */
const SILENCE_SECONDS = 5
/** Maximum wait for a connection, new or from the pool. */
const CONNECT_SECONDS = 10

/**
 * Timeouts with which the database ends a frozen or vanished process, so that it does not keep locks or connections.
 * TCP notices a vanished machine after 10 seconds.
 */
const DEADLINES: readonly string[] = [
  `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_SECONDS}s`,
  `lock_timeout=${LOCK_WAIT_SECONDS}s`,
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=10000',
]

/** Connection `options`. @param statementSeconds statement timeout */
export function sessionOf(statementSeconds: number): string {
  const settings = [...DEADLINES, `statement_timeout=${statementSeconds}s`]
  return [PLANNING, ...settings.map((setting) => `-c ${setting}`)].join(' ')
}

export interface Database {
  readonly kysely: Kysely<Tables>
  /** Reads outside transactions, many of them in flight on one connection. */
  readonly reads: Db
  /** Like `reads`, on the same connection, for recurring polls. Those of one moment become one statement. */
  readonly looks: Db
  /**
   * Connection for lookups before a write's transaction, which long reads must not delay, and for small writes without
   * a transaction. A commit can wait for an absent standby; reads on other connections do not.
   */
  readonly lookups: Db
  readonly pool: pg.Pool
  /** Runs a statement first on every connection of `reads` from now on. Resolves when the current one has run it. */
  hold(text: string): Promise<Holding>
  /** Takes a connection from the pool. */
  connection(): Promise<Connection>
  /** Runs reads in one snapshot. Statements sent without awaiting earlier ones go out immediately. */
  snapshot<Result>(read: (db: SnapshotDb) => Promise<Result>): Promise<Result>
  transaction<Result>(run: (db: TransactionDb) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** Connection for pipelined statements. The database runs them in order, each in its own transaction. */
export interface Connection {
  readonly database: Database
  rows<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
  /** Releases the connection once nothing is in flight. @param isUsable whether it can be reused */
  release(isUsable: boolean): void
}

/** Idle time after which TCP keepalive checks the connection. */
const KEEP_ALIVE_MILLISECONDS = 5_000

export interface ConnectionOptions extends pg.ClientConfig {
  /** Replaces the driver's client class. */
  readonly Client?: typeof pg.Client
}

export function clientFor(connection: ConnectionOptions, more: pg.ClientConfig = NOTICING): pg.Client {
  const { Client = pg.Client } = connection
  return new Client({ ...connection, ...more })
}

/** Options that detect an unreachable database, for every kind of connection. */
export const NOTICING = {
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
  connectionTimeoutMillis: CONNECT_SECONDS * 1000,
} satisfies pg.ClientConfig

export interface DatabaseEvents extends ReadsEvents {
  /** Called for every connection except that of `reads` before its first use. */
  readonly onOther?: ((client: pg.ClientBase) => Promise<void>) | undefined
}

/**
 * Options for connections with time limits on both sides.
 * @param deadlineSeconds how long a request can take
 */
export function deadlinesOf(deadlineSeconds: number): pg.ClientConfig {
  const statementSeconds = STATEMENT_DEADLINES * deadlineSeconds
  return {
    ...NOTICING,
    options: sessionOf(statementSeconds),
    // On this timeout the driver gives up the connection and everything queued on it.
    query_timeout: (statementSeconds + SILENCE_SECONDS) * 1000,
  }
}

/**
 * @param deadlineSeconds how long a request can take
 * @param events callbacks for the connection of `reads` and for errors of all connections
 */
export function openDatabase(connection: ConnectionOptions, deadlineSeconds: number, events: DatabaseEvents): Database {
  const options: ConnectionOptions = { ...connection, ...deadlinesOf(deadlineSeconds) }
  const { onOther = async () => Promise.resolve() } = events
  // With `pipeline`, statements of a transaction are sent without waiting for earlier ones.
  const pool = new pg.Pool({
    ...options,
    pipeline: true,
    max: POOL_SIZE,
    idleTimeoutMillis: 30_000,
    verify: (client, done) => void onOther(client).then(() => done(), done),
  })
  // The pool replaces idle connections that the server drops. Without a listener, the event would end the process.
  pool.on('error', events.onError)
  // A connection can be lost between two statements of a transaction; the next statement then fails.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const reads = pipelinedReads(options, events)
  const lookups = pipelinedReads(options, { onError: events.onError, onConnect: onOther })
  const database: Database = {
    kysely,
    reads,
    looks: together(reads),
    lookups,
    pool,
    hold: async (text) => reads.hold(text),
    async connection() {
      const client = await pool.connect()
      return {
        database,
        async rows<Row>(name: string, text: string, values: readonly unknown[]) {
          const result = await client.query({ name, text, values: [...values] })
          // Safe, as in `reads`.
          return result.rows as Row[]
        },
        release: (isUsable) => client.release(!isUsable),
      }
    },
    snapshot: snapshotsOf(pool),
    transaction: transactionsOf(pool),
    close: async () => {
      await Promise.all([kysely.destroy(), reads.close(), lookups.close()])
      // Kysely ends the pool only if it has used it.
      if (!pool.ending) await pool.end()
    },
  }
  return database
}

/**
 * Maximum concurrent snapshots. Each occupies the database about as much as this process. More would only hold memory
 * longer, and every connection plans all statements anew.
 */
const MAX_SNAPSHOTS = 3

function snapshotsOf(pool: pg.Pool): Database['snapshot'] {
  const dbOf = onClients('snapshot')
  const waiting: (() => void)[] = []
  let running = 0
  const turn = async (): Promise<void> => {
    running += 1
    if (running <= MAX_SNAPSHOTS) return
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
      sendTogether(client)
      const begun = client.query('start transaction isolation level repeatable read, read only')
      const [result] = await Promise.all([read(dbOf(client)), begun])
      // The rows are valid regardless of how the commit ends.
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

function transactionsOf(pool: pg.Pool): Database['transaction'] {
  const dbOf = onClients('transaction')
  return async (run) => {
    const client = await pool.connect()
    let isUsable = false
    try {
      await client.query('begin')
      // Safe: in a transaction from here on, which the type expresses for callees that write.
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

/**
 * A Kysely interface over an acquired connection. Statements are sent immediately; Kysely's own transactions wait for
 * the previous result.
 */
function onClients(use: string): (client: pg.PoolClient) => SnapshotDb {
  const dbs = new WeakMap<pg.PoolClient, SnapshotDb>()
  const nameOf = planNames(use)
  return (client) => {
    const known = dbs.get(client)
    if (known !== undefined) return known
    const query = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
      sendTogether(client)
      return client.query({ name: nameOf(text), text, values: [...values] })
    }
    // Safe: Kysely's driver calls nothing else.
    const only = { query, release: () => undefined } as unknown as PostgresPoolClient
    const dialect = new PostgresDialect({ pool: { connect: async () => only, end: async () => undefined } })
    const db = asDb(new Kysely<Tables>({ dialect }))
    dbs.set(client, db)
    return db
  }
}

/**
 * Maximum number of statements to keep prepared; exceeds the statements in the code, except for variable-length lists.
 */
const MAX_TEXTS = 200

/** `select *`: the result type of such a statement changes when a newer version adds a column. */
const ALL_COLUMNS = /\*(?!\))/

/**
 * Names statements so that the database keeps their plans: planning takes longer than running most of them. One-time
 * statements, as at startup, get no name.
 */
function planNames(use: string): (text: string) => string | undefined {
  const names = new Map<string, string | undefined>()
  return (text) => {
    const known = names.get(text)
    if (known === undefined && names.size < MAX_TEXTS) {
      names.set(text, ALL_COLUMNS.test(text) ? undefined : `${use}_${names.size}`)
    }
    return known
  }
}

/** Adds the `Db` interface to a Kysely connection. Statements are not kept prepared. */
function asDb<Asked extends Kysely<Tables>>(connection: Asked): Asked & Db {
  const rows: Db['rows'] = async <Row>(_name: string, text: string, parameters: readonly unknown[]) => {
    const result = await connection.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))
    return result.rows
  }
  return Object.assign(connection, { rows })
}
