import { setImmediate as turn } from 'node:timers/promises'
import type { OrganizationState } from '../../kernel/projection.ts'
import pg from 'pg'
import type { Tx } from '../../kernel/transaction.ts'
import { NOTICING, type ConnectionOptions, type Database } from '../db/database.ts'
import { Follower } from './follower.ts'
import { OrganizationLog, type RenewActor, type EphemeralRow } from './organization-log.ts'
import { OpenTransaction } from './open-transaction.ts'
import { FOLD_ONLY, type LogRow } from './row.ts'
import { endStuck } from './stuck.ts'
import { ephemeralSender, ephemeralDelivery, type PublishedEvent } from './ephemeral.ts'
import { LoadedOrganizationState, type AnyProjection } from './organization-state.ts'

/** How long an event stays in the log. A queue that has not moved for this long must be registered anew. */
export const LOG_RETENTION_SECONDS = 24 * 3600
/** How often other processes' commits are looked for, should a wake-up have been lost. */
const POLL_MILLISECONDS = 2_000
const RECONNECT_MILLISECONDS = 500
/** Commits: `organization:position`. */
const LOG_CHANNEL = 'parley_log'
/** What is over in a moment, as JSON. */
const EPHEMERAL_CHANNEL = 'parley_whispers'

export interface LogEvents {
  /** Attaches what `refId` stands for to rows read from the database. */
  hydrate(organization: OrganizationState, rows: readonly LogRow[]): Promise<unknown>
  deliver(log: OrganizationLog, row: LogRow): void
  /** Hears what `OrganizationLog.publishEphemeral` says, here or in another process. */
  deliverEphemeral(log: OrganizationLog, row: LogRow): void
  readonly renew: RenewActor
}

/** The logs of all organizations that this process has been asked about. */
export interface Logs {
  of(organizationId: number): Promise<OrganizationLog>
  loaded(): readonly OrganizationLog[]
  /** Begins the log of a new organization with one transaction, whose state is empty and follows each change. */
  create<Result>(stringId: string, action: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Deletes events older than the retention. */
  prune(): Promise<void>
  /** Stops listening; resolves when nothing is being written any more. */
  close(): Promise<void>
}

/**
 * @param shared whether other servers use the same database: then commits are announced and looked for
 */
export function openLogs(
  database: Database,
  connection: ConnectionOptions,
  projections: readonly AnyProjection[],
  events: LogEvents,
  shared: boolean,
  onError: (error: Error) => void,
): Logs {
  const logs = new Map<number, Promise<OrganizationLog>>()
  const ready = new Map<number, OrganizationLog>()
  const hearing = new Map<number, ReturnType<typeof ephemeralDelivery>>()

  /** Closing waits for it: a command that ends at once must not take the news of its commit with it. */
  const finish = (work: Promise<unknown>): void => {
    const ended = work.catch(onError).finally(() => underWay.delete(ended))
    underWay.add(ended)
  }
  const underWay = new Set<Promise<unknown>>()
  const announce = (organizationId: number, position: number): void => {
    if (shared) finish(database.pool.query('select pg_notify($1, $2)', [LOG_CHANNEL, `${organizationId}:${position}`]))
  }
  const tell = ephemeralSender(
    (payloads) =>
      database.pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
        EPHEMERAL_CHANNEL,
        payloads,
      ]),
    onError,
  )
  /** Where there are several processes, this one hears itself through the database too: all in the same order. */
  const ephemeral = (organizationId: number, published: EphemeralRow): void => {
    if (shared) finish(tell({ organizationId, ...published }))
    else hear(organizationId, published)
  }
  const hear = (organizationId: number, published: EphemeralRow): void => {
    const heard = hearing.get(organizationId)?.(published)
    if (heard !== undefined) finish(heard)
  }

  const open = async (organizationId: number): Promise<OrganizationLog> => {
    const organization = await LoadedOrganizationState.load(database, organizationId, projections)
    const follower = new Follower(
      organization,
      database.reads,
      (rows) => events.hydrate(organization, rows),
      (row) => events.deliver(log, row),
    )
    const log = new OrganizationLog(follower, database, { announce, publishEphemeral: ephemeral }, events.renew)
    ready.set(organizationId, log)
    const hearNow = ({ type, audience, payload }: EphemeralRow): void =>
      events.deliverEphemeral(log, {
        position: organization.position,
        type,
        refId: null,
        audience,
        payload,
        changes: null,
      })
    hearing.set(organizationId, ephemeralDelivery(log, hearNow))
    // Commits between the load and the time from which they are heard of. Alone, they are commands', and nobody waits.
    const catchUp = async (): Promise<void> => listening().then(async () => follower.catchUp())
    if (shared) await catchUp()
    else finish(turn().then(catchUp))
    return log
  }

  const catchUpAll = (): void => {
    for (const log of ready.values()) log.follower.catchUp().catch(onError)
  }

  let closed = false
  let listener: ReturnType<typeof listen> | undefined
  const listening = async (): Promise<void> => {
    // Nobody would close it any more.
    if (closed) return
    listener ??= listen(connection, onError, catchUpAll, {
      [LOG_CHANNEL](payload) {
        const [organizationId, position] = payload.split(':').map(Number)
        const log = ready.get(organizationId ?? 0)
        if (log !== undefined && (position ?? 0) > log.organization.position) log.follower.catchUp().catch(onError)
      },
      [EPHEMERAL_CHANNEL](payload) {
        // Sent by `publishEphemeral` alone.
        const { organizationId, ...published } = JSON.parse(payload) as PublishedEvent
        hear(organizationId, published)
      },
    })
    await listener.connected
  }
  const poll = shared ? setInterval(catchUpAll, POLL_MILLISECONDS) : undefined
  // Also where this is the only server: a command may freeze beside it.
  const isWriting = (): boolean => [...ready.values()].some((log) => log.isWriting)
  // Whoever waits for the database hears that it is away.
  const ending = endStuck(database.reads, isWriting, () => undefined)

  return {
    of(organizationId) {
      let log = logs.get(organizationId)
      if (log === undefined) {
        log = open(organizationId)
        logs.set(organizationId, log)
        log.catch(() => logs.delete(organizationId))
      }
      return log
    },
    loaded: () => [...ready.values()],
    create(stringId, action) {
      return database.kysely.transaction().execute(async (db) => {
        const { id } = await db
          .insertInto('organizations')
          .values({ string_id: stringId })
          .returning('id')
          .executeTakeFirstOrThrow()
        const organization = LoadedOrganizationState.begin(id, projections)
        const tx = new OpenTransaction(organization, db, 0, (change) =>
          organization.apply({
            position: 0,
            type: FOLD_ONLY,
            refId: null,
            audience: {},
            payload: {},
            changes: [change],
          }),
        )
        const result = await action(tx)
        await tx.append()
        return result
      })
    },
    async prune() {
      const oldest = Math.floor(Date.now() / 1000) - LOG_RETENTION_SECONDS
      // Only from the beginning on, without a gap, also where a clock went backwards. The newest event of each organization
      // stays: by it a reader tells a quiet log from one that was pruned.
      await database.pool.query(
        `delete from events e using (
           select o.id, coalesce(kept.position, o.position) as position from organizations o
           left join lateral (
             select position from events where organization_id = o.id and recorded_at >= $1
             order by position limit 1) kept on true) first
         where e.organization_id = first.id and e.position < first.position`,
        [oldest],
      )
    },
    async close() {
      closed = true
      clearInterval(poll)
      await ending.close()
      await listener?.close()
      for (const log of ready.values()) await log.close()
      await Promise.all(underWay)
    },
  }
}

/**
 * Listens to other processes; reconnects for ever, since a missed wake-up costs only latency.
 * `connected` resolves when it listens, or has to try again.
 */
function listen(
  connection: ConnectionOptions,
  onError: (error: Error) => void,
  onConnect: () => void,
  channels: Readonly<Record<string, (payload: string) => void>>,
): { readonly connected: Promise<void>; close(): Promise<void> } {
  let closed = false
  let client: pg.Client
  let retry: NodeJS.Timeout | undefined
  const connect = async (): Promise<void> => {
    const opened = new pg.Client({ ...connection, ...NOTICING })
    client = opened
    let lost = false
    const reconnect = (error?: Error): void => {
      if (closed || lost) return
      lost = true
      if (error !== undefined) onError(error)
      retry = setTimeout(() => void connect(), RECONNECT_MILLISECONDS)
      // Where only the statement failed, the connection is still there.
      opened.end().catch(() => undefined)
    }
    opened.on('error', reconnect)
    opened.on('end', () => reconnect())
    opened.on('notification', (message) => channels[message.channel]?.(message.payload ?? ''))
    try {
      await opened.connect()
      await opened.query(
        Object.keys(channels)
          .map((channel) => `listen ${channel}`)
          .join(';'),
      )
      onConnect()
    } catch (error) {
      reconnect(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const connected = connect()
  return {
    connected,
    async close() {
      closed = true
      await connected
      clearTimeout(retry)
      await client.end().catch(() => undefined)
    },
  }
}
