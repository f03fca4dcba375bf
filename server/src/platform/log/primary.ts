import type pg from 'pg'
import type { Applied } from '../db/replicas.ts'
import { DatabaseBehind } from '../db/unavailable.ts'
import type { Logger } from '../logger.ts'
import { knownPlace, placeOf } from './restored.ts'
import { noteTakeover } from './takeover.ts'

export interface PrimaryOptions {
  /** Whether other processes use the database. */
  readonly shared: boolean
  /** Of an embedded database, which no other server takes over. */
  readonly dataDirectory?: string
  /** How far the logs had come that this process has used, as far as it knows. */
  readonly followed: () => readonly Applied[]
  /** Lets go of organizations that are not in the database any more. */
  readonly letGo: (organizationIds: readonly number[]) => void
  /** Makes a connection of its own, for a look. */
  readonly client: () => pg.Client
  readonly logger: Pick<Logger, 'warn'>
}

/** What a process knows of the server that takes the writes of its database, as long as a connection to it lives. */
export interface Primary {
  /** Where it says that it is, which its replicas say, too; undefined while it is away. */
  readonly place: string | undefined
  /** The database has its tables from here on. */
  ready(client: pg.ClientBase): Promise<void>
  /**
   * Looks who it is, before anything else is asked by a new connection of those that tell whether it is there.
   * @throws DatabaseBehind where it lacks what is known here
   */
  connected(client: pg.ClientBase): Promise<void>
  /** The same for any other connection, where that leads to another server than this process has looked at before. */
  admitted(client: pg.ClientBase): Promise<void>
  /** Looks once more. @throws DatabaseBehind where it lacks what is known here */
  look(): Promise<void>
  disconnected(): void
}

/** @returns the primary, and what resolves when the database lacks what is known here: this process knows of things that never were */
export function openPrimary(options: PrimaryOptions): { readonly primary: Primary; readonly lost: Promise<void> } {
  let lose = (): void => undefined
  const lost = new Promise<void>((resolve) => {
    lose = resolve
  })
  return { primary: new OpenPrimary(options, lose), lost }
}

class OpenPrimary implements Primary {
  readonly #options: PrimaryOptions
  readonly #lose: () => void
  readonly #isExternal: boolean
  #isReady = false
  #isLost = false
  /** Where it was looked at. */
  #looked: string | undefined
  #looking: Promise<void> | undefined
  place: string | undefined

  constructor(options: PrimaryOptions, lose: () => void) {
    this.#options = options
    this.#lose = lose
    this.#isExternal = options.shared && options.dataDirectory === undefined
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

  /** What is known here was never so once something is lost: no new connection is given out, and the process ends. */
  async #lookAt(client: pg.ClientBase): Promise<string> {
    if (!this.#isLost) {
      const { followed, letGo, logger } = this.#options
      const { place, isNew, isLost, gone } = await noteTakeover(client, followed())
      this.#looked = place
      this.#isLost ||= isLost
      if (isLost) this.#lose()
      else if (isNew) logger.warn({}, 'another server has taken over the database')
      if (gone.length > 0) {
        logger.warn({ organizations: gone }, 'organizations that were used here are not in the database any more')
        letGo(gone)
      }
    }
    if (this.#isLost) throw new DatabaseBehind('the database lacks what it had acknowledged')
    return this.#looked ?? ''
  }
}
