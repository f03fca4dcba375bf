/** Lists that complete what is typed are read at a glance. */
export const MOST_FOUND = 8

/** What begins with the words before what has a word that does, before what only contains them. */
export function ranked<Item>(items: readonly Item[], typed: string, nameOf: (item: Item) => string): Item[] {
  const ranks: Item[][] = [[], [], []]
  for (const item of items) {
    const name = nameOf(item).toLowerCase()
    const at = name.indexOf(typed)
    if (at === -1) continue
    const rank = at === 0 ? 0 : /[\s_-]/.test(name.charAt(at - 1)) ? 1 : 2
    ranks[rank]?.push(item)
    if ((ranks[0]?.length ?? 0) >= MOST_FOUND) break
  }
  return ranks.flat().slice(0, MOST_FOUND)
}
