import type { Kysely } from 'kysely'
import type { Invalidation } from './invalidation.ts'

/**
 * Organization state that every process holds in memory and updates from the log. Each change is both written to the
 * database and carried by its event, so applying the log and loading again give the same state; tests compare them.
 */
export interface Projection<State, Change> {
  readonly name: string
  empty(): State
  /** Reads the whole state in one REPEATABLE READ transaction. */
  load(state: State, db: Kysely<never>, organizationId: number): Promise<void>
  /** Applies one change at a log position. Must be idempotent. */
  apply(state: State, change: Change, position: number): void
  /**
   * Whether the change revokes access that someone has in this state. The server then answers the request only after
   * all nodes have applied the change.
   */
  takesRights(state: State, change: Change): boolean
}

/** One organization's projections, all at the same log position. */
export interface OrganizationState {
  readonly id: number
  /** Every event up to this position is applied. */
  readonly position: number
  of<State>(projection: Projection<State, never>): State
  /** The position of a projection's last change; 0 if none since it was loaded. */
  changedAt(projection: { readonly name: string }): number
  /** Invalidations after a log position; undefined if some are no longer remembered. */
  invalidatedSince<Change>(invalidation: Invalidation<Change>, position: number): readonly Change[] | undefined
}

/** Replaces one projection's state, to get the organization as it will be after the commit. */
export function withState<Replaced>(
  organization: OrganizationState,
  projection: Projection<Replaced, never>,
  state: Replaced,
): OrganizationState {
  return {
    id: organization.id,
    position: organization.position,
    // Safe: the replaced projection's state is only requested with its own type.
    of: <State>(wanted: Projection<State, never>) =>
      wanted.name === projection.name ? (state as unknown as State) : organization.of(wanted),
    // Uncommitted changes are newer than any change in the log.
    changedAt: (wanted) => (wanted.name === projection.name ? Infinity : organization.changedAt(wanted)),
    invalidatedSince: (invalidation, position) => organization.invalidatedSince(invalidation, position),
  }
}

export interface RecordedChange {
  /** Name of the projection or invalidation. */
  readonly fold: string
  readonly change: unknown
}
