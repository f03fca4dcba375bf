import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** In-memory state. Events contain each change of its rows, so replaying the log equals loading the rows again. */
export interface Projection<State, Change> {
  readonly name: string
  empty(): State
  /** Loads the state in one REPEATABLE READ transaction. */
  load(state: State, db: Kysely<Tables>, organizationId: number): Promise<void>
  /** Applies a change; must be idempotent. */
  apply(state: State, change: Change, position: number): void
  /** Whether the change revokes access: the server answers only after all nodes have applied it. */
  takesRights(state: State, change: Change): boolean
}

/** Projection whose types only its own capability knows. */
export interface AnyProjection extends Omit<Projection<never, never>, 'empty'> {
  empty(): unknown
}

export interface OrganizationState {
  readonly id: number
  readonly position: number
  of<State>(projection: Projection<State, never>): State
  /** Returns the position of the projection's last change, or 0 if it has not changed since loading. */
  changedAt(projection: { readonly name: string }): number
  /** Returns the changes after a position, or undefined if some of them are no longer remembered. */
  invalidatedSince<Change>(invalidation: Invalidation<Change>, position: number): readonly Change[] | undefined
}

/** Returns the organization with the state that a projection will have after the commit. */
export function withState<Replaced>(
  organization: OrganizationState,
  projection: Projection<Replaced, never>,
  state: Replaced,
): OrganizationState {
  return {
    id: organization.id,
    position: organization.position,
    // Safe: callers request the replaced projection's state only with its own type.
    of: <State>(wanted: Projection<State, never>) =>
      wanted.name === projection.name ? (state as unknown as State) : organization.of(wanted),
    // Uncommitted changes are newer than any change in the log.
    changedAt: (wanted) => (wanted.name === projection.name ? Infinity : organization.changedAt(wanted)),
    invalidatedSince: (invalidation, position) => organization.invalidatedSince(invalidation, position),
  }
}

export interface RecordedChange {
  readonly fold: string
  readonly change: unknown
}

export function changesOf<Change>(
  { name }: Pick<Projection<never, Change>, 'name' | 'apply'>,
  changes: readonly RecordedChange[] | null,
): readonly Change[] {
  if (changes === null) return NO_CHANGES
  // Safe: `Tx.change` accepts only changes of the projection's own type.
  return changes.filter(({ fold }) => fold === name).map(({ change }) => change as Change)
}

const NO_CHANGES: readonly never[] = []

/** Kind of change that affects only caches. Processes remember recent changes to find stale cache entries. */
export interface Invalidation<Change> {
  readonly name: string
  /** Never called: declares only the type of the change. */
  readonly accepts?: (change: Change) => void
}

/** Many times the number of changes that happen during one read. */
const MAX_REMEMBERED_CHANGES = 2_000

export class RecentChanges {
  #changes: { readonly position: number; readonly change: unknown }[] = []
  #forgottenTo = 0

  add(change: unknown, position: number): void {
    this.#changes.push({ position, change })
    if (this.#changes.length <= 2 * MAX_REMEMBERED_CHANGES) return
    const forgotten = this.#changes.splice(0, MAX_REMEMBERED_CHANGES)
    this.#forgottenTo = forgotten.at(-1)?.position ?? this.#forgottenTo
  }

  /** Returns the changes after a position, or undefined if some of them are no longer remembered. */
  since(position: number): readonly unknown[] | undefined {
    if (position < this.#forgottenTo) return undefined
    const first = this.#changes.findLastIndex((one) => one.position <= position) + 1
    return this.#changes.slice(first).map(({ change }) => change)
  }
}
