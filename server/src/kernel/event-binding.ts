import type { EventDeclaration } from './event.ts'
import type { OrganizationState } from './projection.ts'
import type { Db } from './transaction.ts'
import type { Registration, Viewer } from './viewer.ts'

export interface LoggedEvent {
  readonly position: number
  readonly refId: number | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly attached?: unknown
}

/** By default, every receiver gets the logged payload. */
export interface EventBinding {
  readonly event: EventDeclaration
  /**
   * Sets `attached` for events read from the log, in one batch.
   * @param mostBytes stops after the row that exceeds this size; unlimited if absent
   * @returns the number of events hydrated, from the first on
   */
  readonly hydrate?: (
    db: Db,
    organization: OrganizationState,
    events: readonly { refId: number | null; attached?: unknown }[],
    mostBytes?: number,
  ) => Promise<number>
  /** Runs `toClient` for each viewer whose fields depend on more than the client form. */
  readonly encodeSeparately?: (event: LoggedEvent, viewer: Viewer) => boolean
  /** Undefined skips such clients. Depends only on the form, except for viewers of `encodeSeparately`. */
  readonly toClient?: (event: LoggedEvent, viewer: Viewer) => Readonly<Record<string, unknown>> | undefined
  /** For events that differ per receiver in more than `perUserFields`. */
  readonly toEachClient?: (event: LoggedEvent, viewer: Viewer) => Readonly<Record<string, unknown>> | undefined
  /** Added to the fields of `toClient`. */
  readonly perUserFields?: (event: LoggedEvent, viewer: Viewer, queueId: string) => Readonly<Record<string, unknown>>
  readonly isWanted?: (event: LoggedEvent, viewer: Viewer, registration: Registration) => boolean
  /** Whether queues with `all_public_streams` get the event outside the audience. */
  readonly public?: (event: LoggedEvent, viewer: Viewer) => boolean
}
