/** Maximum number of results, few enough to read at a glance. */
export const MAX_RANKED_ITEMS = 8

/** Text without accents, for comparison: `jose` finds `José`. */
const foldedTexts = new Map<string, string>()
const MAX_CACHED_FOLDED_TEXTS = 50_000

const ASCII = /^[ -~]*$/

export function withoutAccents(text: string): string {
  // Lower-casing ASCII is faster than a lookup, and most names are ASCII.
  if (ASCII.test(text)) return text.toLowerCase()
  const known = foldedTexts.get(text)
  if (known !== undefined) return known
  if (foldedTexts.size >= MAX_CACHED_FOLDED_TEXTS) foldedTexts.clear()
  const made = foldText(text)
  foldedTexts.set(text, made)
  return made
}

export function foldText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

export function rankItems<Item>(items: readonly Item[], typed: string, nameOf: (item: Item) => string): Item[] {
  const ranks: Item[][] = [[], [], []]
  const words = withoutAccents(typed)
  for (const item of items) {
    const name = withoutAccents(nameOf(item))
    const at = name.indexOf(words)
    if (at === -1) continue
    const rank = at === 0 ? 0 : /[\s_-]/.test(name.charAt(at - 1)) ? 1 : 2
    ranks[rank]?.push(item)
    if ((ranks[0]?.length ?? 0) >= MAX_RANKED_ITEMS) break
  }
  return ranks.flat().slice(0, MAX_RANKED_ITEMS)
}
