import type { Kysely, Transaction } from 'kysely'
import type * as z from 'zod/mini'
import type { Actor, Spectator } from './actor.ts'
import type { Audience } from './audience.ts'
import type { EventDeclaration } from './event.ts'
import type { Invalidation, Projection, OrganizationState } from './projection.ts'
import type { Tables } from './tables.ts'

/** Transaction of several actions. Each sees the state before the first action, so none can change a projection. */
export interface SharedTx {
  readonly organizationId: number
  readonly organization: OrganizationState
  readonly db: TransactionDb
  readonly now: number
  readonly isByOperator?: boolean
  /** Takes the next log position, for use as an ID. */
  nextId(): number
  /** @returns the log position of the event */
  emit<Shape extends z.ZodMiniObject>(
    event: EventDeclaration<Shape>,
    payload: z.input<Shape>,
    audience: Audience,
    refId?: number,
  ): number
  /** Emits an event about a row whose ID is the event's position; `hydrate` reads the row at delivery. */
  emitStored(event: EventDeclaration, differing: Readonly<Record<string, unknown>>, audience: Audience): number
  /** Notifies the caches of every process of a change, with the next event or the commit. */
  invalidate<Change>(invalidation: Invalidation<Change>, change: Change): void
}

/** Transaction with the organization's lock: `organization` changes only at the commit. Check, write, then emit. */
export interface Tx extends SharedTx {
  /** Records a projection's change, to be sent with the next event or the commit. */
  change<State, Change>(projection: Projection<State, Change>, change: Change): void
}

export interface SharedActorTx extends SharedTx {
  readonly actor: Actor
}

export interface ActorTx extends Tx {
  readonly actor: Actor
}

export interface Reader {
  readonly organizationId: number
  readonly actor: Actor | Spectator
  readonly organization: OrganizationState
  readonly db: Db
  readonly now: number
  /** Waits until `organization` includes a position: rows written by another server can be newer than the state. */
  reach(position: number): Promise<void>
  /**
   * Returns a reader for statements that can take seconds, so that they do not delay other readers.
   * @param work has turns of its own if named
   */
  aside(work?: string): Reader
}

/** Database access in a transaction, in a snapshot, or outside both. */
export interface Db {
  /** Runs a statement. Outside transactions, a nonempty name keeps the statement prepared. */
  rows<Row>(name: string, sql: string, parameters: readonly unknown[]): Promise<Row[]>
}

/** Database access outside transactions, shared by all requests. */
export interface ReadDb extends Db {
  /** Returns a database for statements that can take seconds. Accounts take turns. */
  aside(account: string): Db
}

/** Database snapshot in which all reads see the same data. */
export type SnapshotDb = Kysely<Tables> & Db

export type TransactionDb = Transaction<Tables> & Db
