import { CompiledQuery, Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Db, SnapshotDb, TransactionDb } from '../../kernel/transaction.ts'
import type { Tables } from '../../kernel/tables.ts'
import { pipelinedReads, sendTogether, type Holding, type ReadsEvents } from './pipelined.ts'
import { together } from './together.ts'

/** `bigint` and `bigint[]` columns hold positions, which fit a JavaScript number for centuries. */
const BIGINT = 20
// Its declared list of type ids leaves array types out.
const BIGINT_ARRAY: number = 1016
pg.types.setTypeParser(BIGINT, Number)
// As JSON, which V8 reads 2.4 times as fast as a text that is split: there can be very many.
pg.types.setTypeParser(BIGINT_ARRAY, (text: string): unknown =>
  JSON.parse(`[${text.slice(1, -1).replaceAll('NULL', 'null')}]`),
)

/** Transactions in flight at once; each organization has one writer, so more would only wait for locks. */
const POOL_SIZE = 8

/**
 * Settings of every connection. Bitmap scans and JIT make the planner choose sort-everything plans for "the newest
 * 100 of a topic" (measured: 363 ms against 6 ms), so both are off; generic plans skip planning on every call. A
 * look-up that repeats for every row uses an index also where a table is small (measured: 45 us against 3 us a row).
 */
const PLANNING =
  '-c jit=off -c enable_bitmapscan=off -c random_page_cost=1.1 -c plan_cache_mode=force_generic_plan -c timezone=UTC'

/** A transaction that holds no organization's lock may wait this long for its process, which may have much to do. */
const IDLE_IN_TRANSACTION_SECONDS = 30
/** Locks are held for milliseconds. What waits for one for this long is refused, and may be tried again. */
const LOCK_WAIT_SECONDS = 10
/** A statement may take as many times the deadline of a request, of which it may be a part that goes on without it. */
const STATEMENT_DEADLINES = 2
/** The database ends a statement in time and says so: when it has not by this much later, it is not there any more. */
const SILENCE_SECONDS = 5
/** Waiting for a connection, a new one or a free one. */
const CONNECT_SECONDS = 10

/**
 * Deadlines by which the database ends a process that froze, or a machine that vanished, in the middle of something:
 * it must not keep a lock, or a connection, from the others. A vanished machine is noticed after 10 seconds where
 * nothing else is sent.
 */
const DEADLINES: readonly string[] = [
  `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_SECONDS}s`,
  `lock_timeout=${LOCK_WAIT_SECONDS}s`,
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=10000',
]

/** Settings of a connection, by its `options`. @param statementSeconds how long the database works on one statement */
export function sessionOf(statementSeconds: number): string {
  const settings = [...DEADLINES, `statement_timeout=${statementSeconds}s`]
  return [PLANNING, ...settings.map((setting) => `-c ${setting}`)].join(' ')
}

export interface Database {
  readonly kysely: Kysely<Tables>
  /** Reads outside transactions, many in flight on one connection. */
  readonly reads: Db
  /** The same connection, for what is looked for again and again: the looks of a moment are one statement. */
  readonly looks: Db
  /**
   * A connection for what a write asks before its transaction, which the reads of long answers do not hold up; and for small writes
   * that need no transaction. Where a commit waits for a standby that is away, what is only read does not wait for it.
   */
  readonly lookups: Db
  readonly pool: pg.Pool
  /** Has each connection of `reads` run a statement before all others, from now on. Resolves when the present one has. */
  hold(text: string): Promise<Holding>
  /** Takes a connection of the pool. */
  connection(): Promise<Connection>
  /** Reads that see one moment. What `read` asks without waiting for an answer goes out at once. */
  snapshot<Result>(read: (db: SnapshotDb) => Promise<Result>): Promise<Result>
  transaction<Result>(run: (db: TransactionDb) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/**
 * A connection for a caller that sends one statement after the other without waiting for the answer before: the
 * database runs them in this order, each in a transaction of its own.
 */
export interface Connection {
  readonly database: Database
  /** Sent before it returns. */
  rows<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
  /** Gives the connection back once nothing is on its way any more. @param isUsable whether others can still use it */
  release(isUsable: boolean): void
}

/** A connection on which nothing was sent for this long asks whether the database is still there. */
const KEEP_ALIVE_MILLISECONDS = 5_000

export interface ConnectionOptions extends pg.ClientConfig {
  /** Makes each connection, where that is not the driver's own. */
  readonly Client?: typeof pg.Client
}

/** A client for one connection of its own. */
export function clientFor(connection: ConnectionOptions, more: pg.ClientConfig = NOTICING): pg.Client {
  const { Client = pg.Client } = connection
  return new Client({ ...connection, ...more })
}

/** How this side notices that the database is away, whatever the connection is for. */
export const NOTICING = {
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
  connectionTimeoutMillis: CONNECT_SECONDS * 1000,
} satisfies pg.ClientConfig

export interface DatabaseEvents extends ReadsEvents {
  /** Is given each other connection before it is used. */
  readonly onOther?: ((client: pg.ClientBase) => Promise<void>) | undefined
}

/**
 * For connections that the database ends where they keep others waiting, and that this side gives up where they do not answer.
 * @param deadlineSeconds how long a request may wait
 */
export function deadlinesOf(deadlineSeconds: number): pg.ClientConfig {
  const statementSeconds = STATEMENT_DEADLINES * deadlineSeconds
  return {
    ...NOTICING,
    options: sessionOf(statementSeconds),
    // The driver gives up the connection, and with it what else waits there.
    query_timeout: (statementSeconds + SILENCE_SECONDS) * 1000,
  }
}

/**
 * @param deadlineSeconds how long a request may wait
 * @param events hear of the connection of `reads`, and of errors of all
 */
export function openDatabase(connection: ConnectionOptions, deadlineSeconds: number, events: DatabaseEvents): Database {
  const options: ConnectionOptions = { ...connection, ...deadlinesOf(deadlineSeconds) }
  const { onOther = async () => Promise.resolve() } = events
  // Statements that a transaction sends without waiting go out at once.
  const pool = new pg.Pool({
    ...options,
    pipeline: true,
    max: POOL_SIZE,
    idleTimeoutMillis: 30_000,
    verify: (client, done) => void onOther(client).then(() => done(), done),
  })
  // An idle connection that the server drops is replaced at the next use; unheard, the event would end the process.
  pool.on('error', events.onError)
  // A connection may also be lost in a transaction, between two statements: the next statement then fails and says
  // so.
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
          // As in `reads`.
          return result.rows as Row[]
        },
        release: (isUsable) => client.release(!isUsable),
      }
    },
    snapshot: snapshotsOf(pool),
    transaction: transactionsOf(pool),
    close: async () => {
      await Promise.all([kysely.destroy(), reads.close(), lookups.close()])
      // Kysely ends the pool only where it has used it itself.
      if (!pool.ending) await pool.end()
    },
  }
  return database
}

/**
 * The most snapshots that are taken at once. Each keeps the database about as busy as it keeps this process; more
 * would only hold more memory for longer, and every connection has to plan all statements anew.
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
      // The rows that were read stay as they are, however the commit ends.
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
      // It is one from here on, which its type says, so that what writes can ask for one.
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
 * Asks over connections that are taken. What is asked without waiting goes out at once, where Kysely's own transactions
 * send a statement only when the one before is answered.
 * @param use what the names of statements begin with
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
    // All that Kysely's driver calls.
    const only = { query, release: () => undefined } as unknown as PostgresPoolClient
    const dialect = new PostgresDialect({ pool: { connect: async () => only, end: async () => undefined } })
    const db = asDb(new Kysely<Tables>({ dialect }))
    dbs.set(client, db)
    return db
  }
}

/** Different texts of statements whose plans are kept: more than there are, but for lists of every length. */
const MAX_TEXTS = 200

/** Columns that are not named: what a statement gives changes when a later version adds one. */
const ALL_COLUMNS = /\*(?!\))/

/**
 * The database keeps the plan of a statement with a name: making it takes longer than most statements do. One that is
 * sent only once, as at a start, has none.
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

/** Gives a connection of Kysely's the interface by which the database is asked everywhere. Here no statement is kept prepared. */
function asDb<Asked extends Kysely<Tables>>(connection: Asked): Asked & Db {
  const rows: Db['rows'] = async <Row>(_name: string, text: string, parameters: readonly unknown[]) => {
    const result = await connection.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))
    return result.rows
  }
  return Object.assign(connection, { rows })
}
