import type { Kysely, Transaction } from 'kysely'
import type * as z from 'zod/mini'
import type { Actor } from './actor.ts'
import type { Audience } from './audience.ts'
import type { EventDeclaration } from './event.ts'
import type { Invalidation } from './invalidation.ts'
import type { Projection, OrganizationState } from './projection.ts'
import type { Tables } from './tables.ts'

/**
 * Operations of an action that shares its transaction with others. Each action sees `organization` as it was before the
 * first, so none may change a projection.
 */
export interface SharedTx {
  readonly organizationId: number
  readonly organization: OrganizationState
  readonly db: TransactionDb
  /** The transaction's time in UNIX seconds. */
  readonly now: number
  /** Whether an operator runs this as a command. */
  readonly isByOperator?: boolean
  /** Takes the next log position as the ID of a new user, channel, or group. */
  nextId(): number
  /** Emits an event. Returns the log position it takes. */
  emit<Shape extends z.ZodMiniObject>(
    event: EventDeclaration<Shape>,
    payload: z.input<Shape>,
    audience: Audience,
    refId?: number,
  ): number
  /**
   * Emits an event whose ID is its returned position and whose fields `hydrate` reads from its row at delivery. The log
   * stores only the fields that differ per receiver.
   */
  emitStored(event: EventDeclaration, differing: Readonly<Record<string, unknown>>, audience: Audience): number
  /** Tells every process's caches what changed, with the next event or, if none follows, the commit. */
  invalidate<Change>(invalidation: Invalidation<Change>, change: Change): void
}

/**
 * One durable change of an organization. Holds the organization's lock from the start, so `organization` stays exactly
 * the committed state until the commit: check against it, write, emit.
 */
export interface Tx extends SharedTx {
  /** Sends a change to every process's projection, with the next event or, if none follows, the commit. */
  change<State, Change>(projection: Projection<State, Change>, change: Change): void
}

export interface SharedActorTx extends SharedTx {
  readonly actor: Actor
}

export interface ActorTx extends Tx {
  readonly actor: Actor
}

/** Context of a read-only request. */
export interface Reader {
  readonly organizationId: number
  readonly actor: Actor
  readonly organization: OrganizationState
  readonly db: Db
  readonly now: number
  /**
   * Resolves when `organization` includes everything up to a position. Rows written by another server may be newer than
   * the state. IDs are positions, so a query that shows rows waits for the newest ID in them.
   */
  reach(position: number): Promise<void>
}

/** Database inside a transaction, a snapshot, or neither; callees need not know which. */
export interface Db {
  /** Runs one parameterized statement. Outside transactions, a nonempty name makes the database keep it prepared. */
  rows<Row>(name: string, sql: string, parameters: readonly unknown[]): Promise<Row[]>
}

/** Snapshot: all reads see the same moment. */
export type SnapshotDb = Kysely<Tables> & Db

export type TransactionDb = Transaction<Tables> & Db
