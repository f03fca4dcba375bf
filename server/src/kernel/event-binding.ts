import type * as z from 'zod/mini'
import type { EventDeclaration } from './event.ts'
import type { OrganizationState } from './projection.ts'
import type { Db } from './transaction.ts'
import type { Registration, Viewer } from './viewer.ts'

export interface LoggedEvent<Payload = Readonly<Record<string, unknown>>> {
  readonly position: number
  readonly refId: number | null
  readonly payload: Payload
  readonly attached?: unknown
}

export type EventOf<Declaration extends EventDeclaration> = LoggedEvent<z.output<Declaration['payload']>>

/** Binding of any event type. The log passes each binding only events of its own type. */
export type AnyEventBinding = Omit<EventBinding<never>, 'event'> & { readonly event: EventDeclaration }

/** Converts a declared event to the payload for each receiver. By default, every receiver gets the logged payload. */
export interface EventBinding<Shape extends z.ZodMiniObject = z.ZodMiniObject> {
  readonly event: EventDeclaration<Shape>
  /** False for events that the audit log omits: personal content and settings, and repetitions of another event. */
  readonly administration?: false
  /** Sets `attached` on the events, in order, until `mostBytes` is exceeded. Returns how many events it was set on. */
  readonly hydrate?: (
    db: Db,
    organization: OrganizationState,
    events: readonly { refId: number | null; attached?: unknown }[],
    mostBytes?: number,
  ) => Promise<number>
  /** Whether a viewer's fields depend on more than the client form, so that `toClient` runs for this viewer alone. */
  readonly encodeSeparately?: (event: LoggedEvent<z.output<Shape>>, viewer: Viewer) => boolean
  /** Fields for all viewers with one client form, or one viewer if `encodeSeparately`; undefined to send nothing. */
  readonly toClient?: (
    event: LoggedEvent<z.output<Shape>>,
    viewer: Viewer,
  ) => Readonly<Record<string, unknown>> | undefined
  /** Fields for one receiver, for events in which more fields than `perUserFields` differ between receivers. */
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
  readonly isWanted?: (event: LoggedEvent<z.output<Shape>>, viewer: Viewer, registration: Registration) => boolean
  /** Whether queues with `all_public_streams` get the event even if their user is not in the audience. */
  readonly public?: (event: LoggedEvent<z.output<Shape>>, viewer: Viewer) => boolean
}
