import type { EventDeclaration } from './event.ts'
import type { OrganizationState } from './projection.ts'
import type { Db } from './transaction.ts'
import type { Registration, Viewer } from './viewer.ts'

/** Logged event at delivery. */
export interface LoggedEvent {
  readonly position: number
  readonly refId: number | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly attached?: unknown
}

/** Converts a declared event to the payload for each receiver. By default, every receiver gets the logged payload. */
export interface EventBinding {
  readonly event: EventDeclaration
  /**
   * Reads the records that the events refer to, in one batch, and sets `attached`. Called for events read from the log
   * rather than received from a writer.
   * @param mostBytes stops after the row that exceeds this size; unlimited if absent
   * @returns the number of events hydrated, from the first on
   */
  readonly hydrate?: (
    db: Db,
    organization: OrganizationState,
    events: readonly { refId: number | null; attached?: unknown }[],
    mostBytes?: number,
  ) => Promise<number>
  /** Viewers whose fields depend on more than their client form, so `toClient` runs for each of them. */
  readonly encodeSeparately?: (event: LoggedEvent, viewer: Viewer) => boolean
  /**
   * The fields for a client form; undefined to skip such clients. They depend only on the form, except for viewers of
   * `encodeSeparately`.
   */
  readonly toClient?: (event: LoggedEvent, viewer: Viewer) => Readonly<Record<string, unknown>> | undefined
  /** The fields for one receiver, computed for each, for events that differ in more than `perUserFields`. */
  readonly toEachClient?: (event: LoggedEvent, viewer: Viewer) => Readonly<Record<string, unknown>> | undefined
  /** Fields that differ per receiver, added to those of `toClient`. */
  readonly perUserFields?: (event: LoggedEvent, viewer: Viewer, queueId: string) => Readonly<Record<string, unknown>>
  /** Whether a queue with this registration gets the event. */
  readonly isWanted?: (event: LoggedEvent, viewer: Viewer, registration: Registration) => boolean
  /** Whether queues with `all_public_streams` get the event even if their user is not in the audience. */
  readonly public?: (event: LoggedEvent, viewer: Viewer) => boolean
}
