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
    const name = fold(nameOf(item))
    const at = name.indexOf(words)
    if (at === -1) continue
    const rank = at === 0 ? 0 : /[\s_-]/.test(name.charAt(at - 1)) ? 1 : 2
    ranks[rank]?.push(item)
    if ((ranks[0]?.length ?? 0) >= MAX_FOUND) break
  }
  return ranks.flat().slice(0, MAX_FOUND)
}
