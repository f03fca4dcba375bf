/**
 * Kind of change that in-memory caches follow. The log carries what changed, and each process remembers recent changes
 * so that caches can drop stale entries. Unlike a projection, it loads nothing: a new process has empty caches.
 */
export interface Invalidation<Change> {
  readonly name: string
  /** Never called; carries the type of the changes. */
  readonly accepts?: (change: Change) => void
}

/** Many times the number of changes that occur during one read. */
const MAX_REMEMBERED = 2_000

export class RecentChanges {
  #changes: { readonly position: number; readonly change: unknown }[] = []
  #forgottenTo = 0

  add(change: unknown, position: number): void {
    this.#changes.push({ position, change })
    if (this.#changes.length <= 2 * MAX_REMEMBERED) return
    const forgotten = this.#changes.splice(0, MAX_REMEMBERED)
    this.#forgottenTo = forgotten.at(-1)?.position ?? this.#forgottenTo
  }

  /** Returns the changes after a log position; undefined if some are no longer remembered. */
  since(position: number): readonly unknown[] | undefined {
    if (position < this.#forgottenTo) return undefined
    const first = this.#changes.findLastIndex((one) => one.position <= position) + 1
    return this.#changes.slice(first).map(({ change }) => change)
  }
}
