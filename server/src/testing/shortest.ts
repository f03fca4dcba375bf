export interface Outcome {
  readonly history: readonly string[]
  readonly wrong: readonly string[]
  /** Indexes of the affected people. */
  readonly concerned: readonly number[]
}

const SHORTENING_SECONDS = 120
/** Numbers of steps to omit together, largest first, because later choices depend on earlier ones. */
const OMISSION_SIZES = [32, 8, 2, 1, 1]

export async function shortestFailure<Choice, Played extends Outcome>(
  choices: readonly Choice[],
  played: Played,
  happen: (choices: readonly Choice[], watching: readonly number[]) => Promise<Played>,
): Promise<Played> {
  const until = Date.now() + SHORTENING_SECONDS * 1_000
  let kept = choices.slice(0, played.history.length)
  let best = played
  // Only affected people have to be observed.
  const watching = played.concerned
  for (const size of OMISSION_SIZES) {
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
