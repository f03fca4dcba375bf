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
