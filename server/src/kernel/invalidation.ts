/**
 * A kind of change that caches in the memory of every process follow: the log carries what was changed, and each process
 * remembers the latest, so that a cache drops what is not right any more. It is no projection: the database holds nothing
 * to load, and a process that has just begun has cached nothing yet.
 */
export interface Invalidation<Change> {
  readonly name: string
  /** Never called: it holds the type of the changes. */
  readonly accepts?: (change: Change) => void
}

/** Changes that are remembered: many times what happens while something is read. */
const MAX_REMEMBERED = 2_000

/** The latest changes of one kind. */
export class RecentChanges {
  #changes: { readonly position: number; readonly change: unknown }[] = []
  #forgottenTo = 0

  add(change: unknown, position: number): void {
    this.#changes.push({ position, change })
    if (this.#changes.length <= 2 * MAX_REMEMBERED) return
    const forgotten = this.#changes.splice(0, MAX_REMEMBERED)
    this.#forgottenTo = forgotten.at(-1)?.position ?? this.#forgottenTo
  }

  /** The changes after a position of the log; undefined when they are not all remembered any more. */
  since(position: number): readonly unknown[] | undefined {
    if (position < this.#forgottenTo) return undefined
    const first = this.#changes.findLastIndex((one) => one.position <= position) + 1
    return this.#changes.slice(first).map(({ change }) => change)
  }
}
