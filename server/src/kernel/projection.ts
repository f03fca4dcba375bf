import type { Kysely } from 'kysely'

/**
 * A piece of an organization's state that every process holds in memory, kept right by applying the log.
 * The same change is written to the database and carried by the event, so the fold of the log and a fresh
 * load are always equal (tests compare them).
 */
export interface Projection<State, Change> {
  readonly name: string
  empty(): State
  /** Reads the whole state inside one REPEATABLE READ transaction. */
  load(state: State, db: Kysely<never>, organizationId: number): Promise<void>
  /** Applies one change. `position` is where the log stands. Must be idempotent. */
  apply(state: State, change: Change, position: number): void
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
}

/** A state in which one projection has another state: how things will stand when what is being written is committed. */
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
    // What is not committed is newer than anything that is.
    changedAt: (wanted) => (wanted.name === projection.name ? Infinity : organization.changedAt(wanted)),
  }
}

/** A change as the log carries it. */
export interface RecordedChange {
  readonly fold: string
  readonly change: unknown
}
