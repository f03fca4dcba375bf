import type { EventDeclaration } from './event.ts'
import type { OrganizationState } from './projection.ts'
import type { Db } from './transaction.ts'
import type { Registration, Viewer } from './viewer.ts'

/** An event of the log, as its capability sees it when it is delivered. */
export interface LoggedEvent {
  readonly position: number
  readonly refId: number | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly attached?: unknown
}

/**
 * How one declared event becomes what each receiver gets. Without the optional parts, all receivers get the payload
 * as logged.
 */
export interface EventBinding {
  readonly event: EventDeclaration
  /**
   * Reads the records that the rows refer to, in one go, and sets `attached`. It is called for rows that did not come
   * straight from a writer.
   * @param mostBytes the bytes that are read at most, and one row more; without it, everything is read
   * @returns the number of rows, from the first one on, that were hydrated
   */
  readonly hydrate?: (
    db: Db,
    organization: OrganizationState,
    events: readonly { refId: number | null; attached?: unknown }[],
    mostBytes?: number,
  ) => Promise<number>
  /** The few viewers for whom `toClient` makes the fields anew, since their fields depend on more than the form. */
  readonly encodeSeparately?: (event: LoggedEvent, viewer: Viewer) => boolean
  /**
   * The fields for a client form; undefined when such a client is not told. They depend on the form alone, except for
   * the viewers of `encodeSeparately`.
   */
  readonly toClient?: (event: LoggedEvent, viewer: Viewer) => Readonly<Record<string, unknown>> | undefined
  /**
   * The fields for one receiver, made anew for each: for events that differ per receiver in more than
   * `perUserFields`.
   */
  readonly toEachClient?: (event: LoggedEvent, viewer: Viewer) => Readonly<Record<string, unknown>> | undefined
  /** Fields that differ per receiver, added to those of `toClient`. */
  readonly perUserFields?: (event: LoggedEvent, viewer: Viewer, queueId: string) => Readonly<Record<string, unknown>>
  /** Whether a queue registered like this wants the event at all. */
  readonly isWanted?: (event: LoggedEvent, viewer: Viewer, registration: Registration) => boolean
  /** Whether queues with `all_public_streams` get it although their user is not in the audience. */
  readonly public?: (event: LoggedEvent, viewer: Viewer) => boolean
}
