import type pg from 'pg'
import type { AppliedPosition } from '../db/replicas.ts'
import { DatabaseBehind } from '../db/unavailable.ts'
import type { Logger } from '../logger.ts'
import { knownPlace, placeOf } from './restored.ts'
import { noteTakeover } from './takeover.ts'

export interface PrimaryOptions {
  readonly shared: boolean
  /** Set for an embedded database, which cannot fail over. */
  readonly dataDirectory?: string
  /** Creates a separate connection for a check. */
  readonly client: () => pg.Client
  readonly logger: Pick<Logger, 'warn'>
}

/** The logs that this process uses. */
interface UsedLogs {
  /** Last known positions of these logs. */
  followed(): readonly AppliedPosition[]
  /** Closes logs of organizations that are no longer in the database. */
  letGo(organizationIds: readonly number[]): void
}

/** Identity of the primary database server, tracked while a connection to it lives. */
export interface PrimaryIdentity {
  /** Shared by the primary's replicas; undefined while the primary is unreachable. */
  readonly place: string | undefined
  /** Compares these logs with the database at each check. */
  follow(logs: UsedLogs): void
  /** Call once the tables exist. */
  ready(client: pg.ClientBase): Promise<void>
  /** Checks the identity before any other statement. @throws DatabaseBehind if the primary lacks committed events */
  connected(client: pg.ClientBase): Promise<void>
  /** Checks like `connected`, but skips servers already checked. */
  admitted(client: pg.ClientBase): Promise<void>
  /** @throws DatabaseBehind if the primary lacks committed events */
  look(): Promise<void>
  disconnected(): void
}

/**
 * @returns the primary, and a promise that resolves when committed events are lost: this process's state is then
 * invalid
 */
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
  #logs: UsedLogs | undefined
  #isReady = false
  #isLost = false
  #looked: string | undefined
  #looking: Promise<void> | undefined
  place: string | undefined

  constructor(options: PrimaryOptions, lose: () => void) {
    this.#options = options
    this.#lose = lose
    this.#isExternal = options.shared && options.dataDirectory === undefined
  }

  follow(logs: UsedLogs): void {
    this.#logs = logs
  }

  async ready(client: pg.ClientBase): Promise<void> {
    this.#isReady = true
    this.place = await knownPlace(client)
    this.#looked = this.place
  }

  async connected(client: pg.ClientBase): Promise<void> {
    if (this.#isReady) this.place = this.#isExternal ? await this.#lookAt(client) : await knownPlace(client)
  }

  async admitted(client: pg.ClientBase): Promise<void> {
    if (!this.#isReady || !this.#isExternal) return
    if (this.#isLost || (await placeOf(client, undefined)) !== this.#looked) await this.#lookAt(client)
  }

  async look(): Promise<void> {
    if (this.#isReady && this.#isExternal)
      await (this.#looking ??= this.#look().finally(() => (this.#looking = undefined)))
  }

  disconnected(): void {
    this.place = undefined
  }

  async #look(): Promise<void> {
    const client = this.#options.client()
    client.on('error', () => undefined)
    try {
      await client.connect()
      await this.#lookAt(client)
    } finally {
      client.end().catch(() => undefined)
    }
  }

  /** Checks the identity. After a loss, this process gets no new connections and will exit. */
  async #lookAt(client: pg.ClientBase): Promise<string> {
    if (!this.#isLost) {
      const { logger } = this.#options
      const { place, isNew, isLost, gone } = await noteTakeover(client, this.#logs?.followed() ?? [])
      this.#looked = place
      this.#isLost ||= isLost
      if (isLost) this.#lose()
      else if (isNew) logger.warn({}, 'another server has taken over the database')
      if (gone.length > 0) {
        logger.warn({ organizations: gone }, 'organizations in use are missing from the database')
        this.#logs?.letGo(gone)
      }
    }
    if (this.#isLost) throw new DatabaseBehind('the database lacks changes that it had acknowledged')
    return this.#looked ?? ''
  }
}
