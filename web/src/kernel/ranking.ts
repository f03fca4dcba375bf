/** Maximum number of results, few enough to read at a glance. */
export const MAX_FOUND = 8

/** Texts without accents, for comparison: `jose` finds `José`. */
const folded = new Map<string, string>()
const MAX_FOLDED = 50_000

export function fold(text: string): string {
  const known = folded.get(text)
  if (known !== undefined) return known
  if (folded.size >= MAX_FOLDED) folded.clear()
  const made = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  folded.set(text, made)
  return made
}

export function rankItems<Item>(items: readonly Item[], typed: string, nameOf: (item: Item) => string): Item[] {
  const ranks: Item[][] = [[], [], []]
  const words = fold(typed)
  for (const item of items) {
    const rank = rankOf(fold(nameOf(item)), words)
    if (rank !== undefined) ranks[rank]?.push(item)
    if ((ranks[0]?.length ?? 0) >= MAX_FOUND) break
  }
  return ranks.flat().slice(0, MAX_FOUND)
}

/** 0 at the start of the name, 1 at the start of another word, 2 elsewhere. */
function rankOf(name: string, words: string): number | undefined {
  let rank: number | undefined
  for (let at = name.indexOf(words); at !== -1; at = name.indexOf(words, at + 1)) {
    if (at === 0) return 0
    if (rank !== 1) rank = /[^\p{L}\p{N}]/u.test(name.charAt(at - 1)) ? 1 : 2
  }
  return rank
}
