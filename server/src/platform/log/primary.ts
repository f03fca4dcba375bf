import type pg from 'pg'
import { knownPlace } from './restored.ts'

/** What a process knows of the server that takes the writes of its database, as long as a connection to it lives. */
export class Primary {
  #isReady = false
  #place: string | undefined

  /** Where it says that it is, which its replicas say, too; undefined while it is away. */
  get place(): string | undefined {
    return this.#place
  }

  /** The database has its tables from here on. */
  async ready(client: pg.ClientBase): Promise<void> {
    this.#isReady = true
    await this.connected(client)
  }

  async connected(client: pg.ClientBase): Promise<void> {
    if (this.#isReady) this.#place = await knownPlace(client)
  }

  lost(): void {
    this.#place = undefined
  }
}
