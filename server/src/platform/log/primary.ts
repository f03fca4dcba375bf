import type pg from 'pg'
import type { Applied } from '../db/replicas.ts'
import type { Logger } from '../logger.ts'
import { knownPlace, noteTakeover } from './restored.ts'

export interface PrimaryOptions {
  /** Whether other processes use the database. */
  readonly shared: boolean
  /** Of an embedded database, which no other server takes over. */
  readonly dataDirectory?: string
  /** How far this process has followed the logs that it has used. */
  readonly followed: () => readonly Applied[]
  readonly logger: Pick<Logger, 'warn'>
}

/** What a process knows of the server that takes the writes of its database, as long as a connection to it lives. */
export interface Primary {
  /** Where it says that it is, which its replicas say, too; undefined while it is away. */
  readonly place: string | undefined
  /** The database has its tables from here on. */
  ready(client: pg.ClientBase): Promise<void>
  /** Looks who it is, before anything else is asked by a new connection. */
  connected(client: pg.ClientBase): Promise<void>
  disconnected(): void
}

/** @returns the primary, and what resolves when the database lacks what is applied here: this process knows of things that never were */
export function openPrimary({ shared, dataDirectory, followed, logger }: PrimaryOptions): {
  readonly primary: Primary
  readonly lost: Promise<void>
} {
  const isExternal = shared && dataDirectory === undefined
  let isReady = false
  let place: string | undefined
  let lose = (): void => undefined
  const lost = new Promise<void>((resolve) => {
    lose = resolve
  })
  const takenOver = async (client: pg.ClientBase): Promise<string> => {
    const taken = await noteTakeover(client, followed())
    if (taken.isLost) lose()
    else if (taken.isNew) logger.warn({}, 'another server has taken over the database')
    return taken.place
  }
  const primary: Primary = {
    get place() {
      return place
    },
    async ready(client) {
      isReady = true
      place = await knownPlace(client)
    },
    async connected(client) {
      if (isReady) place = isExternal ? await takenOver(client) : await knownPlace(client)
    },
    disconnected() {
      place = undefined
    },
  }
  return { primary, lost }
}
