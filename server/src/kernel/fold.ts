import type { Kysely } from 'kysely'

/**
 * A piece of an organization's state that every process holds in memory, kept right by folding the log.
 * The same change is written to the database and carried by the event, so the fold of the log and a fresh
 * load are always equal (tests compare them).
 */
export interface Fold<State, Change> {
  readonly name: string
  empty(): State
  /** Reads the whole state inside one REPEATABLE READ transaction. */
  load(state: State, db: Kysely<never>, organizationId: number): Promise<void>
  /** Applies one change. `position` is where the log stands. Must be idempotent. */
  put(state: State, change: Change, position: number): void
}

/** One organization's folds, all at the same position of its log. */
export interface World {
  readonly organizationId: number
  /** Every event up to here is folded. */
  readonly position: number
  /** The state of one fold. */
  of<State>(fold: Fold<State, never>): State
  /** The position of the last change of a fold; 0 for none since it was loaded. */
  changedAt(fold: { readonly name: string }): number
}

/** A world in which one fold has another state: how things will stand when what is being written is committed. */
export function withState<Replaced>(world: World, fold: Fold<Replaced, never>, state: Replaced): World {
  return {
    organizationId: world.organizationId,
    position: world.position,
    // The replaced fold's own state is asked for by its own type.
    of: <State>(wanted: Fold<State, never>) =>
      wanted.name === fold.name ? (state as unknown as State) : world.of(wanted),
    // What is not committed is newer than anything that is.
    changedAt: (wanted) => (wanted.name === fold.name ? Infinity : world.changedAt(wanted)),
  }
}

/** A change as the log carries it. */
export interface RecordedChange {
  readonly fold: string
  readonly change: unknown
}
