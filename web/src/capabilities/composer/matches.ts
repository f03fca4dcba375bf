import { continuesWord } from '@parley/server/kernel/words'
import { MAX_RANKED_ITEMS, withoutAccents } from '../../kernel/ranking.ts'

/** Form of names and typed text in which they are compared. */
export function matchKey(text: string): string {
  return withoutAccents(text).replaceAll('_', ' ')
}

interface MatchOrder<Item> {
  readonly keyOf: (item: Item) => string
  /** Items of a lower tier come first, however well others match. */
  readonly tierOf?: (item: Item) => number
  /** Orders items that match equally well; without it, they keep their order. */
  readonly compare?: (one: Item, other: Item) => number
}

interface Match<Item> {
  readonly item: Item
  readonly tier: number
  readonly rank: number
}

/** Selects the first results in one pass: sorting 50,000 people for each typed letter would delay it. */
export function bestMatches<Item>(
  items: readonly Item[],
  typed: string,
  { keyOf, tierOf = () => 0, compare = () => 0 }: MatchOrder<Item>,
): Item[] {
  const words = matchKey(typed)
  const best: Match<Item>[] = []
  const precedes = (one: Match<Item>, other: Match<Item> | undefined): boolean =>
    other !== undefined && (one.tier - other.tier || one.rank - other.rank || compare(one.item, other.item)) < 0
  for (const item of items) {
    const rank = matchRank(keyOf(item), words)
    if (rank === undefined) continue
    const match = { item, tier: tierOf(item), rank }
    if (best.length === MAX_RANKED_ITEMS && !precedes(match, best.at(-1))) continue
    let at = best.length
    while (precedes(match, best[at - 1])) at -= 1
    best.splice(at, 0, match)
    best.length = Math.min(best.length, MAX_RANKED_ITEMS)
  }
  return best.map(({ item }) => item)
}

/** Returns 0 if the name equals the words, 1 if it starts with them, 2 if a later word does, and otherwise undefined. */
function matchRank(name: string, words: string): number | undefined {
  if (name === words) return 0
  for (let at = name.indexOf(words); at !== -1; at = name.indexOf(words, at + 1))
    if (!isInsideLatinWord(name, at) && !continuesWord(name, at)) return at === 0 ? 1 : 2
  return undefined
}

/** Whether unaccented Latin letters surround the position, which is the usual case and needs no Unicode tables. */
function isInsideLatinWord(name: string, at: number): boolean {
  return isLatinLetter(name.charCodeAt(at - 1)) && isLatinLetter(name.charCodeAt(at))
}

function isLatinLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a
}
