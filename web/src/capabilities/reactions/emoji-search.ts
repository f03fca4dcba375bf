import { withoutAccents } from '../../kernel/ranking.ts'

export interface SearchableEmoji {
  readonly label: string
  /** All names that the server knows. */
  readonly names: readonly string[]
  readonly keywords: string
}

export interface IndexEntry<Item extends SearchableEmoji> {
  readonly emoji: Item
  readonly key: string
  readonly labelWords: readonly string[]
  readonly allWords: readonly string[]
}

export function indexEmoji<Item extends SearchableEmoji>(emoji: Item): IndexEntry<Item> {
  const labelWords = searchWords(emoji.label)
  const others = searchWords([emoji.keywords, ...emoji.names].join(' '))
  return { emoji, key: nameKey(emoji.label), labelWords, allWords: [...labelWords, ...others] }
}

function searchWords(text: string): readonly string[] {
  return withoutAccents(text)
    .split(/[^\p{L}\p{N}+-]+/u)
    .filter((word) => word !== '')
}

/** Form in which labels and typed text are compared with names. */
function nameKey(text: string): string {
  return text.trim().toLowerCase().replaceAll(':', '').replaceAll(/\s+/g, '_')
}

/**
 * Finds an exact name first, then beginnings of names, frequently used emoji, other words of names, and keywords.
 * Emoji that match equally well keep their order, after those that are used frequently.
 */
export function searchEmoji<Item extends SearchableEmoji>(
  index: readonly IndexEntry<Item>[],
  query: string,
  isFrequent: (emoji: Item) => boolean,
): readonly Item[] {
  const name = nameKey(query)
  const words = searchWords(query)
  const ranked = index.flatMap((entry) => {
    const rank = MATCHES.findIndex((matches) => matches(entry, name, words))
    if (rank === -1) return []
    const isUsual = isFrequent(entry.emoji)
    return { emoji: entry.emoji, rank: isUsual ? Math.min(rank, FREQUENT_RANK) : rank, isUsual }
  })
  return ranked
    .toSorted((one, other) => one.rank - other.rank || Number(other.isUsual) - Number(one.isUsual))
    .map(({ emoji }) => emoji)
}

type Match = (entry: IndexEntry<SearchableEmoji>, name: string, words: readonly string[]) => boolean

/** Best first. */
const MATCHES: readonly Match[] = [
  ({ emoji: { names }, key }, name) => key === name || names.includes(name),
  ({ emoji: { names }, key }, name) => key.startsWith(name) || names.some((one) => one.startsWith(name)),
  ({ labelWords }, _, words) => hasAll(words, (word) => labelWords.includes(word)),
  ({ labelWords }, _, words) => hasAll(words, (word) => labelWords.some((one) => one.startsWith(word))),
  ({ allWords }, _, words) => hasAll(words, (word) => allWords.includes(word)),
  ({ allWords }, _, words) => hasAll(words, (word) => allWords.some((one) => one.startsWith(word))),
  ({ emoji: { names } }, name) => names.some((one) => one.includes(name)),
]

/** Worst rank of a frequently used emoji: right after names that begin with the query. */
const FREQUENT_RANK = 2

function hasAll(words: readonly string[], isFound: (word: string) => boolean): boolean {
  return words.length > 0 && words.every(isFound)
}
