import type * as z from 'zod/mini'
import type { EventDeclaration } from './event.ts'
import type { OrganizationState } from './projection.ts'
import type { Db } from './transaction.ts'
import type { Registration, Viewer } from './viewer.ts'

/** Logged event at delivery. */
export interface LoggedEvent<Payload = Readonly<Record<string, unknown>>> {
  readonly position: number
  readonly refId: number | null
  readonly payload: Payload
  readonly attached?: unknown
}

/** Logged event of a declaration, for example `EventOf<typeof draftsAdded>`. */
export type EventOf<Declaration extends EventDeclaration> = LoggedEvent<z.output<Declaration['payload']>>

/** Binding whose event is private to its capability. The log returns each binding only its own events. */
export type AnyEventBinding = Omit<EventBinding<never>, 'event'> & { readonly event: EventDeclaration }

/** Converts a declared event to the payload for each receiver. By default, every receiver gets the logged payload. */
export interface EventBinding<Shape extends z.ZodMiniObject = z.ZodMiniObject> {
  readonly event: EventDeclaration<Shape>
  /**
   * False if the audit log omits the event: personal content and settings, and repetitions of another event. A test
   * requires a description of every other event in `audit-log/rules`.
   */
  readonly administration?: false
  /**
   * Sets `attached` for events read from the log, in one batch.
   * @param mostBytes stops after the row that exceeds this size; unlimited if absent
   * @returns the number of hydrated events, counted from the first
   */
  readonly hydrate?: (
    db: Db,
    organization: OrganizationState,
    events: readonly { refId: number | null; attached?: unknown }[],
    mostBytes?: number,
  ) => Promise<number>
  /** Viewers whose fields depend on more than their client form, so `toClient` runs for each of them. */
  readonly encodeSeparately?: (event: LoggedEvent<z.output<Shape>>, viewer: Viewer) => boolean
  /**
   * The fields for a client form; undefined to skip such clients. They depend only on the form, except for viewers of
   * `encodeSeparately`.
   */
  readonly toClient?: (
    event: LoggedEvent<z.output<Shape>>,
    viewer: Viewer,
  ) => Readonly<Record<string, unknown>> | undefined
  /** The fields for one receiver, computed separately, for events that differ in more than `perUserFields`. */
  readonly toEachClient?: (
    event: LoggedEvent<z.output<Shape>>,
    viewer: Viewer,
  ) => Readonly<Record<string, unknown>> | undefined
  /** Fields that differ per receiver, added to those of `toClient`. */
  readonly perUserFields?: (
    event: LoggedEvent<z.output<Shape>>,
    viewer: Viewer,
    queueId: string,
  ) => Readonly<Record<string, unknown>>
  /** Whether a queue with this registration gets the event. */
  readonly isWanted?: (event: LoggedEvent<z.output<Shape>>, viewer: Viewer, registration: Registration) => boolean
  /** Whether queues with `all_public_streams` get the event even if their user is not in the audience. */
  readonly public?: (event: LoggedEvent<z.output<Shape>>, viewer: Viewer) => boolean
}
