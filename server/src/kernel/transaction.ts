import type { Kysely, Transaction } from 'kysely'
import type * as z from 'zod/mini'
import type { Actor } from './actor.ts'
import type { Audience } from './audience.ts'
import type { EventDeclaration } from './event.ts'
import type { Invalidation } from './invalidation.ts'
import type { Projection, OrganizationState } from './projection.ts'
import type { Tables } from './tables.ts'

/**
 * What an action may do whose transaction others share. Each of them sees `organization` as it was before the first, so
 * none of them changes a projection.
 */
export interface SharedTx {
  readonly organizationId: number
  readonly organization: OrganizationState
  readonly db: TransactionDb
  /** The current time, in UNIX seconds. One value for the whole transaction. */
  readonly now: number
  /** Whether those who run the server do it, by a command. */
  readonly isByOperator?: boolean
  /** Takes the next position of the log, as the id of something new (a user, a channel, a group). */
  nextId(): number
  /** Announces the change. The event takes the next position, which is returned. */
  emit<Shape extends z.ZodMiniObject>(
    event: EventDeclaration<Shape>,
    payload: z.input<Shape>,
    audience: Audience,
    refId?: number,
  ): number
  /**
   * Announces something whose id is its event's position, which is returned, and whose fields are read from its row
   * when the event is delivered (`hydrate`): the log keeps only the fields that differ per receiver.
   */
  emitStored(event: EventDeclaration, differing: Readonly<Record<string, unknown>>, audience: Audience): number
  /** Tells the caches of every process what has changed, with the next event or, when none follows, with the commit. */
  invalidate<Change>(invalidation: Invalidation<Change>, change: Change): void
}

/**
 * One durable change of an organization. It holds the organization's lock from its start, so `organization` is exactly
 * the committed state and stays so until the commit: check against it, write, emit.
 */
export interface Tx extends SharedTx {
  /** Carries a written row to every process's projection, with the next event or, when none follows, with the commit. */
  change<State, Change>(projection: Projection<State, Change>, change: Change): void
}

/** A shared transaction on behalf of an actor. */
export interface SharedActorTx extends SharedTx {
  readonly actor: Actor
}

/** A transaction on behalf of an actor. */
export interface ActorTx extends Tx {
  readonly actor: Actor
}

/** What a read of one request reads with. */
export interface Reader {
  readonly organizationId: number
  readonly actor: Actor
  readonly organization: OrganizationState
  readonly db: Db
  readonly now: number
  /**
   * Resolves when `organization` holds everything up to a position. Rows in the database may be newer than the state
   * when another server has just written them: ids are positions, so a query that shows rows waits for the newest id
   * in them.
   */
  reach(position: number): Promise<void>
}

/**
 * The database, as a statement asks it in a transaction, in a snapshot and outside of both: a function that is given one
 * need not know which.
 */
export interface Db {
  /** Runs one parameterized statement. Outside transactions the database keeps it prepared by its name, unless that is empty. */
  rows<Row>(name: string, sql: string, parameters: readonly unknown[]): Promise<Row[]>
}

/** The database in a snapshot, where all reads see one moment. */
export type SnapshotDb = Kysely<Tables> & Db

/** The database in a transaction. */
export type TransactionDb = Transaction<Tables> & Db
