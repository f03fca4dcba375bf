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

/** How one declared event reaches its receivers. Without the optional parts, everybody gets the payload as logged. */
export interface EventBinding {
  readonly event: EventDeclaration
  /**
   * Reads what the rows refer to, in one go, and sets `attached`. For rows that did not come straight from a writer.
   * @param mostBytes that it reads, and one row more; all where it is undefined
   * @returns of how many rows, from the first one on, it has read what there is
   */
  readonly hydrate?: (
    db: Db,
    organization: OrganizationState,
    events: readonly { refId: number | null; attached?: unknown }[],
    mostBytes?: number,
  ) => Promise<number>
  /** Viewers for whom `present` makes the fields anew, since they depend on more than the form; few. */
  readonly encodeSeparately?: (event: LoggedEvent, viewer: Viewer) => boolean
  /** The fields for a client form; undefined when such a client is not told. Must depend on the form alone, but for `apart`. */
  readonly toClient?: (event: LoggedEvent, viewer: Viewer) => Readonly<Record<string, unknown>> | undefined
  /** The same for events whose fields differ per receiver in more than `personal` can say: made anew for each. */
  readonly toEachClient?: (event: LoggedEvent, viewer: Viewer) => Readonly<Record<string, unknown>> | undefined
  /** Fields that differ per receiver, added to those of `present`. */
  readonly perUserFields?: (event: LoggedEvent, viewer: Viewer, queueId: string) => Readonly<Record<string, unknown>>
  /** Whether a queue registered like this wants the event at all. */
  readonly isWanted?: (event: LoggedEvent, viewer: Viewer, registration: Registration) => boolean
  /** Whether queues with `all_public_streams` get it although their user is not in the audience. */
  readonly public?: (event: LoggedEvent, viewer: Viewer) => boolean
}
