/** Number of slow interactions to keep: enough for the 98th percentile of 500 interactions. */
const MAX_SLOW_INTERACTIONS = 10
/** One in 50 interactions can be slower than the reported time: the 98th percentile, as for INP. */
const INTERACTIONS_PER_OUTLIER = 50

export class Interactions {
  readonly #slowest = new Map<number, number>()
  #count = 0
  #last = 0

  /** Events of one interaction have the same number; only the slowest of them counts. */
  add(interaction: number, milliseconds: number): void {
    // Events without an interaction, such as pointer moves, have number 0.
    if (interaction === 0) return
    if (interaction > this.#last) {
      this.#last = interaction
      this.#count += 1
    }
    this.#slowest.set(interaction, Math.max(milliseconds, this.#slowest.get(interaction) ?? 0))
    if (this.#slowest.size <= MAX_SLOW_INTERACTIONS) return
    const [fastest] = [...this.#slowest].toSorted(([, one], [, other]) => one - other)[0] ?? []
    if (fastest !== undefined) this.#slowest.delete(fastest)
  }

  get count(): number {
    return this.#count
  }

  /** In milliseconds; undefined before the first interaction. */
  get slow(): number | undefined {
    const times = [...this.#slowest.values()].toSorted((one, other) => other - one)
    return times[Math.min(times.length - 1, Math.floor(this.#count / INTERACTIONS_PER_OUTLIER))]
  }
}
