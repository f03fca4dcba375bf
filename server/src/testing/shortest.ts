/** What came of a history that was played. */
export interface Outcome {
  readonly history: readonly string[]
  /** What is wrong; empty where all is well. */
  readonly wrong: readonly string[]
  /** Whom it concerns, by the order in which they came. */
  readonly concerned: readonly number[]
}

const SHORTENING_SECONDS = 120
/** Steps that are left out together, more at first: later choices depend on what came before them. */
const SIZES = [32, 8, 2, 1, 1]

/** The shortest history that still shows something wrong, of those found by leaving steps out for a while. */
export async function shortest<Choice, Played extends Outcome>(
  choices: readonly Choice[],
  played: Played,
  happen: (choices: readonly Choice[], watching: readonly number[]) => Promise<Played>,
): Promise<Played> {
  const until = Date.now() + SHORTENING_SECONDS * 1_000
  let kept = choices.slice(0, played.history.length)
  let best = played
  // Whom it does not concern need not look, which takes less time. What answers to steps showed, they show again.
  const watching = played.concerned
  for (const size of SIZES) {
    for (let start = kept.length - 1 - size; start >= 0; start -= size) {
      if (Date.now() > until) return best
      const fewer = kept.toSpliced(start, size)
      const again = await happen(fewer, watching)
      if (again.wrong.length === 0) continue
      best = again
      kept = fewer.slice(0, again.history.length)
      start = Math.min(start, kept.length)
    }
  }
  return best
}
