import type { Kysely } from 'kysely'
import type { Invalidation } from './invalidation.ts'

/**
 * A part of an organization's state that every process holds in memory and keeps right by applying the log. The same
 * change is written to the database and carried by the event, so applying the log and loading afresh always give the
 * same state (tests compare them).
 */
export interface Projection<State, Change> {
  readonly name: string
  empty(): State
  /** Reads the whole state inside one REPEATABLE READ transaction. */
  load(state: State, db: Kysely<never>, organizationId: number): Promise<void>
  /** Applies one change. `position` is where the log stands. Must be idempotent. */
  apply(state: State, change: Change, position: number): void
  /**
   * Whether a change takes from somebody what they may do or see as long as the state is this. Whoever makes such a change is
   * answered once all nodes have applied it.
   */
  takesRights(state: State, change: Change): boolean
}

/** One organization's projections, all at the same position of its log. */
export interface OrganizationState {
  readonly id: number
  /** Every event up to here is applied. */
  readonly position: number
  /** The state of one projection. */
  of<State>(projection: Projection<State, never>): State
  /** The position of the last change of a projection; 0 for none since it was loaded. */
  changedAt(projection: { readonly name: string }): number
  /** What was changed after a position of the log; undefined when that is not all remembered any more. */
  invalidatedSince<Change>(invalidation: Invalidation<Change>, position: number): readonly Change[] | undefined
}

/**
 * An organization's state with one projection's state replaced: the state that will hold once the transaction
 * commits.
 */
export function withState<Replaced>(
  organization: OrganizationState,
  projection: Projection<Replaced, never>,
  state: Replaced,
): OrganizationState {
  return {
    id: organization.id,
    position: organization.position,
    // The replaced projection's own state is asked for by its own type.
    of: <State>(wanted: Projection<State, never>) =>
      wanted.name === projection.name ? (state as unknown as State) : organization.of(wanted),
    // Uncommitted changes are newer than any change in the log.
    changedAt: (wanted) => (wanted.name === projection.name ? Infinity : organization.changedAt(wanted)),
    invalidatedSince: (invalidation, position) => organization.invalidatedSince(invalidation, position),
  }
}

/** A change of a projection, or for caches, as the log carries it. */
export interface RecordedChange {
  /** The name of the projection or of the invalidation. */
  readonly fold: string
  readonly change: unknown
}
