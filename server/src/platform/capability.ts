import type { Kysely } from 'kysely'
import type { Endpoint, Input, Output } from '../kernel/endpoint.ts'
import type { EventDeclaration } from '../kernel/event.ts'
import type { Actor } from '../kernel/actor.ts'
import type { Fold, World } from '../kernel/fold.ts'
import type { Tables } from '../kernel/tables.ts'
import type { ActorTx, Db, Reader } from '../kernel/transaction.ts'
import type { Registration, Viewer } from '../kernel/viewer.ts'
import type { Assembled, JsonPieces } from './answers/serialized.ts'
import type { ReceivedFile } from './files/receive.ts'
import type { FileRoute } from './files/serve.ts'
import type { FileStore } from './files/store.ts'
import type { ApiNames } from './http/names.ts'
import type { Job } from './jobs/jobs.ts'
import type { OrganizationLog } from './log/organization-log.ts'
import type { PollAnswer, QueueLimits } from './queues/queue.ts'
import type { Queues } from './queues/queues.ts'
import type { RateLimiter } from './limits/rate.ts'

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
    world: World,
    events: readonly { refId: number | null; attached?: unknown }[],
    mostBytes?: number,
  ) => Promise<number>
  /** Viewers for whom `present` makes the fields anew, since they depend on more than the form; few. */
  readonly apart?: (event: LoggedEvent, viewer: Viewer) => boolean
  /** The fields for a client form; undefined when such a client is not told. Must depend on the form alone, but for `apart`. */
  readonly present?: (event: LoggedEvent, viewer: Viewer) => Readonly<Record<string, unknown>> | undefined
  /** The same for events whose fields differ per receiver in more than `personal` can say: made anew for each. */
  readonly presentEach?: (event: LoggedEvent, viewer: Viewer) => Readonly<Record<string, unknown>> | undefined
  /** Fields that differ per receiver, added to those of `present`. */
  readonly personal?: (event: LoggedEvent, viewer: Viewer, queueId: string) => Readonly<Record<string, unknown>>
  /** Whether a queue registered like this wants the event at all. */
  readonly wanted?: (event: LoggedEvent, viewer: Viewer, registration: Registration) => boolean
  /** Whether queues with `all_public_streams` get it although their user is not in the audience. */
  readonly public?: (event: LoggedEvent, viewer: Viewer) => boolean
}

/** A part of the register response: present when all `eventTypes` are asked for. */
export interface SnapshotPart {
  readonly eventTypes: readonly string[]
  /** Reads, before the snapshot, what is looked at beside the folds. */
  readonly prepare?: (db: Db, viewer: Viewer) => Promise<void>
  /** Looks at the folds; runs at the snapshot's position and must not wait. */
  readonly observe?: (viewer: Viewer, context: SnapshotContext) => Record<string, unknown>
  /** Fields, at least one, that are large and the same for many; as `observe` otherwise. */
  readonly share?: (viewer: Viewer, server: ServerFacts) => SharedFields
  /** Reads the database at the same position. */
  readonly read?: (
    db: Kysely<Tables>,
    viewer: Viewer,
    context: SnapshotContext,
  ) => Promise<Record<string, unknown> | Assembled>
  /** What somebody without an account sees instead; absent for nothing at all. */
  readonly visit?: (visitor: Visitor, server: ServerFacts) => Record<string, unknown>
}

/** What a part of the register response shows to more than one viewer. */
export interface SharedFields {
  /** Viewers with the same key get the same: all that `make` depends on beside the folds. Undefined for one viewer alone. */
  readonly key: string | undefined
  /** Looks at the folds of this world only; its result, which may be JSON text already, is kept until one of them changes. */
  readonly make: (world: World) => Record<string, unknown> | JsonPieces
}

/** Somebody without an account who looks at what is open to everybody. */
export type Visitor = Omit<Viewer, 'userId'>

export interface SnapshotContext {
  readonly server: ServerFacts
  readonly actor: Actor
  readonly now: number
  /** The event types asked for; null for all. */
  readonly eventTypes: readonly string[] | null
  /** Days that what is said of people's presence goes back. */
  readonly presenceHistoryDays: number
}

/** What handlers may know of the server they run in. */
export interface ServerFacts {
  readonly version: string
  /** When the process began to serve. */
  readonly startedAt: number
  readonly development: boolean
  /** The words that clients are told. */
  readonly apiNames: ApiNames
  /** Whether organizations may open channels to everybody on the internet. */
  readonly webPublicChannels: boolean
  /** The canonical URL of the organization, without a slash at its end. */
  readonly urlOf: (world: World) => string
  readonly queues: Queues
  readonly queueLimits: QueueLimits
  /** Where the bytes of uploaded files are. */
  readonly files: FileStore
  /** The largest file that people may upload, and how much an organization may keep; null for no limit. */
  readonly uploadLimits: { readonly maxMebibytes: number; readonly quotaMebibytes: number | null }
  /** Logs what went wrong beside an answer that is right all the same. */
  readonly report: (error: unknown) => void
  /** Everything that capabilities put into the register response. */
  readonly snapshotParts: readonly SnapshotPart[]
}

/** One request, as handlers see it that do more than a transaction or a read. */
export interface Call {
  readonly log: OrganizationLog
  readonly actor: Actor
  readonly server: ServerFacts
  readonly reads: Db
  readonly method: string
  /** What came with the request, for endpoints that take a file. */
  readonly file: ReceivedFile | undefined
  /** The response, for a handler that has it answered when its time comes and returns `ANSWERED`. */
  readonly poll: PollAnswer
}

/** What a query of the same request reads with. */
export function readerOf({ log, actor, reads }: Pick<Call, 'log' | 'actor' | 'reads'>): Reader {
  const { world } = log
  return {
    organizationId: world.organizationId,
    actor,
    world,
    db: reads,
    now: Math.floor(Date.now() / 1000),
    reach: (position) => log.follower.reach(position),
  }
}

/** A request to an endpoint that needs no login: `actor` is there where one was asked for and given. */
export interface OpenCall extends Omit<Call, 'actor' | 'log'> {
  /** Counts failed logins by user name; undefined where rate limits are off. */
  readonly failedLogins: RateLimiter | undefined
  /** Undefined where the host name stands for no organization. */
  readonly log: OrganizationLog | undefined
  readonly actor: Actor | undefined
}

/** A `direct` handler that wrote its answer itself returns this. */
export const ANSWERED = Symbol('answered')
export type Answered = typeof ANSWERED

/** How a handler is reached. Made by the four functions below, which tie it to its endpoint's types. */
export type Route =
  | { kind: 'command'; endpoint: Endpoint; handle: (tx: ActorTx, input: never, server: ServerFacts) => Promise<object> }
  | { kind: 'query'; endpoint: Endpoint; handle: (reader: Reader, input: never) => Promise<object> | object }
  | { kind: 'direct'; endpoint: Endpoint; handle: (call: Call, input: never) => Promise<object | Answered> | Answered }
  | { kind: 'open'; endpoint: Endpoint; handle: (call: OpenCall, input: never) => Promise<object | Answered> }

/** Binds an endpoint to an action: one transaction, alone in the organization. */
export function command<E extends Endpoint>(
  endpoint: E,
  handle: (tx: ActorTx, input: Input<E>, server: ServerFacts) => Promise<Output<E>>,
): Route {
  return { kind: 'command', endpoint, handle }
}

/** Binds an endpoint to a read. */
export function query<E extends Endpoint>(
  endpoint: E,
  handle: (reader: Reader, input: Input<E>) => Promise<Output<E> | Assembled> | Output<E>,
): Route {
  return { kind: 'query', endpoint, handle }
}

/** Binds an endpoint to a handler that chooses its own way: batched writes, long polls. */
export function direct<E extends Endpoint>(
  endpoint: E,
  handle: (call: Call, input: Input<E>) => Promise<Output<E> | Answered> | Answered,
): Route {
  return { kind: 'direct', endpoint, handle }
}

/** Binds an endpoint that needs no login. */
export function open<E extends Endpoint>(
  endpoint: E,
  handle: (call: OpenCall, input: Input<E>) => Promise<Output<E> | Assembled>,
): Route {
  return { kind: 'open', endpoint, handle }
}

/** A capability's table of contents. */
export interface Capability {
  readonly name: string
  /** The tables that only this capability writes. */
  readonly tables: readonly (keyof Tables)[]
  readonly folds: readonly Fold<never, never>[]
  readonly events: readonly EventBinding[]
  readonly snapshot: readonly SnapshotPart[]
  readonly routes: readonly Route[]
  readonly jobs: readonly Job[]
  /** Addresses beside the API at which its files are. */
  readonly files: readonly FileRoute[]
}

/** Declares a capability; checks that its folds and events are well-typed where they are made. */
export function capability(declaration: {
  name: string
  tables: readonly (keyof Tables)[]
  folds?: readonly { readonly name: string }[]
  events?: readonly EventBinding[]
  snapshot?: readonly SnapshotPart[]
  routes?: readonly Route[]
  jobs?: readonly Job[]
  files?: readonly FileRoute[]
}): Capability {
  return {
    name: declaration.name,
    tables: declaration.tables,
    // Folds are stored together, each with types of its own; `World.of` gives each its own state back.
    folds: (declaration.folds ?? []) as readonly Fold<never, never>[],
    events: declaration.events ?? [],
    snapshot: declaration.snapshot ?? [],
    routes: declaration.routes ?? [],
    jobs: declaration.jobs ?? [],
    files: declaration.files ?? [],
  }
}
