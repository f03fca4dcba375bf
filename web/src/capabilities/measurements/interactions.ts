/** Of the slowest answers so many are remembered: enough for the slowest fiftieth of 500. */
const MOST_REMEMBERED = 10
/** Of so many, one may be slower than what is said of all: the 98th percentile, as browsers' makers count it. */
const FOR_EACH_SLOWER = 50

/** How long keys and clicks took until what they did was painted. Of all of them, only the slowest are remembered. */
export class Interactions {
  readonly #slowest = new Map<number, number>()
  #count = 0
  #last = 0

  /**
   * One key or click is several events with the same number; the slowest of them counts.
   * @param milliseconds from the event to the paint after it
   */
  add(interaction: number, milliseconds: number): void {
    // What was no key or click, such as a pointer that moves, has no number.
    if (interaction === 0) return
    if (interaction > this.#last) {
      this.#last = interaction
      this.#count += 1
    }
    this.#slowest.set(interaction, Math.max(milliseconds, this.#slowest.get(interaction) ?? 0))
    if (this.#slowest.size <= MOST_REMEMBERED) return
    const [fastest] = [...this.#slowest].toSorted(([, one], [, other]) => one - other)[0] ?? []
    if (fastest !== undefined) this.#slowest.delete(fastest)
  }

  get count(): number {
    return this.#count
  }

  /** In milliseconds, the 98th percentile; undefined before the first one that took long enough to be told of. */
  get slow(): number | undefined {
    const times = [...this.#slowest.values()].toSorted((one, other) => other - one)
    return times[Math.min(times.length - 1, Math.floor(this.#count / FOR_EACH_SLOWER))]
  }
}
