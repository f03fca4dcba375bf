/**
 * Scales the number of repetitions. `usual` is the number in sweeps; `npm test` runs a fifth and `npm run check` a
 * twentieth. To search for a rare fault: `PARLEY_TEST_EFFORT=20 npx vitest run fold`.
 */
export function effort(usual: number): number {
  return Math.max(1, Math.round(usual * Number(process.env['PARLEY_TEST_EFFORT'] ?? 1)))
}

let turn = 0

/** Returns all items or, if the effort or share is below 1, a different part of them each time. */
export function someOf<Item>(all: readonly Item[], share = 1): readonly Item[] {
  const count = effort(all.length * share)
  if (count >= all.length) return all
  turn += 1
  const step = all.length / count
  return all.filter((_, index) => Math.floor((index + turn) / step) !== Math.floor((index + turn - 1) / step))
}
