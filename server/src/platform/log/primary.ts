import type pg from 'pg'
import type { AppliedPosition } from '../db/replicas.ts'
import { DatabaseBehindError } from '../db/unavailable.ts'
import type { Logger } from '../logger.ts'
import {
  recordedIdentity,
  databaseIdentity,
  endQueuesAndAdvance,
  advancePositions,
  newestEventTime,
  recordMovedDatabase,
} from './restored.ts'

export interface PrimaryOptions {
  readonly shared: boolean
  /** Set for an embedded database, which cannot fail over. */
  readonly dataDirectory?: string
  readonly client: () => pg.Client
  readonly logger: Pick<Logger, 'warn'>
}

interface PrimaryLogs {
  followed(): readonly AppliedPosition[]
  /** Closes logs of organizations that are no longer in the database. */
  unload(organizationIds: readonly number[]): void
}

export interface PrimaryIdentity {
  /** Database identity, shared with replicas; undefined while the primary is unreachable. */
  readonly place: string | undefined
  /** Compares these logs with the database at each check. */
  follow(logs: PrimaryLogs): void
  ready(client: pg.ClientBase): Promise<void>
  /** Call this before other statements. @throws DatabaseBehindError if the primary lacks committed events */
  connected(client: pg.ClientBase): Promise<void>
  /** Checks like `connected`, but skips servers already checked. */
  admitted(client: pg.ClientBase): Promise<void>
  /** @throws DatabaseBehindError if the primary lacks committed events */
  check(): Promise<void>
  disconnected(): void
}

/** `lost` resolves when committed events are lost: this process's state is then invalid. */
export function openPrimary(options: PrimaryOptions): {
  readonly primary: PrimaryIdentity
  readonly lost: Promise<void>
} {
  let lose = (): void => undefined
  const lost = new Promise<void>((resolve) => {
    lose = resolve
  })
  return { primary: new OpenPrimary(options, lose), lost }
}

class OpenPrimary implements PrimaryIdentity {
  readonly #options: PrimaryOptions
  readonly #lose: () => void
  readonly #isExternal: boolean
  #logs: PrimaryLogs | undefined
  #isReady = false
  #isLost = false
  #checked: string | undefined
  #checking: Promise<void> | undefined
  place: string | undefined

  constructor(options: PrimaryOptions, lose: () => void) {
    this.#options = options
    this.#lose = lose
    this.#isExternal = options.shared && options.dataDirectory === undefined
  }

  follow(logs: PrimaryLogs): void {
    this.#logs = logs
  }

  async ready(client: pg.ClientBase): Promise<void> {
    this.#isReady = true
    this.place = await recordedIdentity(client)
    this.#checked = this.place
  }

  async connected(client: pg.ClientBase): Promise<void> {
    if (this.#isReady) this.place = this.#isExternal ? await this.#checkServer(client) : await recordedIdentity(client)
  }

  async admitted(client: pg.ClientBase): Promise<void> {
    if (!this.#isReady || !this.#isExternal) return
    if (this.#isLost || (await databaseIdentity(client, undefined)) !== this.#checked) await this.#checkServer(client)
  }

  async check(): Promise<void> {
    if (this.#isReady && this.#isExternal)
      await (this.#checking ??= this.#checkConnection().finally(() => (this.#checking = undefined)))
  }

  disconnected(): void {
    this.place = undefined
  }

  async #checkConnection(): Promise<void> {
    const client = this.#options.client()
    client.on('error', () => undefined)
    try {
      await client.connect()
      await this.#checkServer(client)
    } finally {
      client.end().catch(() => undefined)
    }
  }

  /** Checks for lost commits. After a loss, this process gets no new connections and will exit. */
  async #checkServer(client: pg.ClientBase): Promise<string> {
    if (!this.#isLost) {
      const { logger } = this.#options
      const { place, isNew, isLost, gone } = await recordTakeover(client, this.#logs?.followed() ?? [])
      this.#checked = place
      this.#isLost ||= isLost
      if (isLost) this.#lose()
      else if (isNew) logger.warn({}, 'another server has taken over the database')
      if (gone.length > 0) {
        logger.warn({ organizations: gone }, 'organizations in use are missing from the database')
        this.#logs?.unload(gone)
      }
    }
    if (this.#isLost) throw new DatabaseBehindError('the database lacks changes that it had acknowledged')
    return this.#checked ?? ''
  }
}

/* A new primary may lack acknowledged commits, so positions always advance before the first write to it. */

/** Limits the loss to assume: event IDs, about 1,000 times as large as positions, must stay safe integers. */
const MAX_LOST_SECONDS = 30 * 86_400

interface LaggingOrganization extends AppliedPosition {
  /** Whether the organization is missing, because its creation was lost or it was removed. */
  readonly isGone: boolean
  /** Whether the organization's position is too low; false if the organization has continued after a loss. */
  readonly isBehind: boolean
}

/** Finds positions that the database lacks. A committed position has an event, unless the log was pruned up to it. */
const MISSING_POSITIONS_SQL = `
  select known.id, known.position, o.id is null as "isGone", coalesce(o.position < known.position, false) as "isBehind"
  from unnest($1::bigint[], $2::bigint[]) as known (id, position) left join organizations o on o.id = known.id
  where o.id is null or o.position < known.position or (
    not exists (select from events e where e.organization_id = o.id and e.position = known.position)
    and exists (select from events e where e.organization_id = o.id and e.position < known.position))`

/** Ends queues whose clients may have seen lost events. */
const END_QUEUES_SQL = `
  delete from queues q using unnest($1::bigint[], $2::bigint[]) as known (id, position)
  where q.organization_id = known.id and q.start_position <= known.position`

export interface Takeover {
  readonly place: string
  readonly isNew: boolean
  readonly isLost: boolean
  readonly gone: readonly number[]
}

/** Advances all positions on a new primary. If commits were lost, also ends queues that may have delivered them. */
async function recordTakeover(client: pg.ClientBase, known: readonly AppliedPosition[]): Promise<Takeover> {
  const place = await databaseIdentity(client, undefined)
  const isNoted = (await recordedIdentity(client)) === place
  if (isNoted && (await findLaggingLogs(client, known)).length === 0)
    return { place, isNew: false, isLost: false, gone: [] }
  await client.query('begin')
  try {
    // Checks again under the lock, because another process may have been first.
    const isNew = (await recordedIdentity(client, 'for update')) !== place
    const lacking = await findLaggingLogs(client, known)
    const lost = lacking.filter(({ isGone }) => !isGone)
    const isBehind = lost.some((organization) => organization.isBehind)
    if (isNew) await recordMovedDatabase(client, place)
    if (isNew || isBehind) {
      const since = Math.max(await newestEventTime(client), Math.floor(Date.now() / 1000) - MAX_LOST_SECONDS)
      await (lost.length > 0 ? endQueuesAndAdvance : advancePositions)(client, since)
    } else if (lost.length > 0) await client.query(END_QUEUES_SQL, idAndPositionColumns(lost))
    await client.query('commit')
    return { place, isNew, isLost: lost.length > 0, gone: lacking.filter(({ isGone }) => isGone).map(({ id }) => id) }
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function findLaggingLogs(
  client: pg.ClientBase,
  known: readonly AppliedPosition[],
): Promise<readonly LaggingOrganization[]> {
  return (await client.query<LaggingOrganization>(MISSING_POSITIONS_SQL, idAndPositionColumns(known))).rows
}

function idAndPositionColumns(organizations: readonly AppliedPosition[]): (readonly number[])[] {
  return [organizations.map(({ id }) => id), organizations.map(({ position }) => position)]
}
