import { caseKey } from '@parley/server/kernel/case-key'
import { foldText } from './ranking.ts'

export interface Findable {
  readonly key: string
  readonly name: string
  /** Synonyms that match like the name. */
  readonly otherNames?: readonly string[] | undefined
  readonly detail?: string | undefined
  /** Description and synonyms, of which only the beginnings of words match. */
  readonly about?: string | undefined
}

interface SearchTexts {
  readonly names: readonly string[]
  readonly detail: string
  readonly about: string
}

/** Folded texts, created on first use, because folding all names at once would delay a key press. */
const cachedTexts = new WeakMap<Findable, SearchTexts>()

function searchTextsOf(item: Findable): SearchTexts {
  let found = cachedTexts.get(item)
  if (found === undefined) {
    const names = [item.name, ...(item.otherNames ?? [])].map(foldedKey)
    found = { names, detail: foldedKey(item.detail ?? ''), about: foldedKey(item.about ?? '') }
    cachedTexts.set(item, found)
  }
  return found
}

function foldedKey(text: string): string {
  return foldText(caseKey(text))
}

/** Number of items after which a search checks the time. */
const ITEMS_PER_TIME_CHECK = 500
/** A search yields after this time, so that the next key press is not delayed. */
const TIME_BUDGET_MILLISECONDS = 8

/** Scores of matches: the whole name, its beginning, the beginning of a word, any other part, or other texts. */
const MATCH_SCORES = { whole: 8, beginning: 5, word: 3, within: 1.5, detail: 1, about: 0.7, near: 0.3 } as const

/** Shorter words differ by only one letter from too many other words. */
const MIN_NEAR_LETTERS = 4

/**
 * `start`: each typed word begins a word of the item's name. `name`: the name contains at least one. `elsewhere`: only
 * other texts contain them. `near`: a word differs by one letter.
 */
export type MatchPlace = 'start' | 'name' | 'elsewhere' | 'near'

interface Match {
  readonly score: number
  readonly place: MatchPlace
}

type Matcher = (texts: SearchTexts, words: readonly string[]) => Match | undefined

export interface FoundItem<Item> {
  readonly item: Item
  readonly tier: number
}

interface FinderRules<Item> {
  /** Probability that the item is wanted, regardless of the text. */
  readonly weightOf: (item: Item) => number
  /** Items of a lower tier come first, whatever their weights. */
  readonly tierOf?: (item: Item, place: MatchPlace) => number
}

/** Typing more letters searches only the previous matches, because longer words never match additional items. */
export class Finder<Item extends Findable> {
  readonly #all: readonly Item[]
  readonly #weightOf: (item: Item) => number
  readonly #tierOf: (item: Item, place: MatchPlace) => number
  #typed = ''
  #left: readonly Item[]

  constructor(items: readonly Item[], { weightOf, tierOf = () => 0 }: FinderRules<Item>) {
    this.#all = items
    this.#left = items
    this.#weightOf = weightOf
    this.#tierOf = tierOf
  }

  /** Returns the best matches, else those one letter off. @param give yields to other work @param signal aborts it */
  async find(
    typed: string,
    most: number,
    give: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<readonly FoundItem<Item>[]> {
    const words = foldedKey(typed).split(/\s+/).filter(Boolean)
    const from = this.#typed !== '' && typed.startsWith(this.#typed) ? this.#left : this.#all
    const { left, best } = await this.#search(from, matchOf, words, most, give, signal)
    if (signal.aborted) return []
    this.#typed = typed
    this.#left = left
    if (best.length > 0 || !words.some(isLongEnough)) return best
    return (await this.#search(this.#all, nearMatchOf, words, most, give, signal)).best
  }

  async #search(
    from: readonly Item[],
    match: Matcher,
    words: readonly string[],
    most: number,
    give: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<{ readonly left: readonly Item[]; readonly best: readonly FoundItem<Item>[] }> {
    const left: Item[] = []
    const best: ScoredItem<Item>[] = []
    let began = performance.now()
    for (const [index, item] of from.entries()) {
      if (
        index % ITEMS_PER_TIME_CHECK === ITEMS_PER_TIME_CHECK - 1 &&
        performance.now() - began > TIME_BUDGET_MILLISECONDS
      ) {
        await give()
        if (signal.aborted) return { left: [], best: [] }
        began = performance.now()
      }
      const found = match(searchTextsOf(item), words)
      if (found === undefined) continue
      left.push(item)
      const tier = this.#tierOf(item, found.place)
      insertSorted(best, { item, tier, score: found.score * this.#weightOf(item) }, most)
    }
    return { left, best }
  }
}

interface ScoredItem<Item> extends FoundItem<Item> {
  readonly score: number
}

/** Compares with the last item first, because nearly all of the thousands of items score lower. */
function insertSorted<Item extends Findable>(best: ScoredItem<Item>[], one: ScoredItem<Item>, most: number): void {
  const isBetter = (other: ScoredItem<Item> | undefined): boolean => {
    if (other === undefined || one.tier !== other.tier) return other === undefined || one.tier < other.tier
    return one.score > other.score || (one.score === other.score && one.item.name.length < other.item.name.length)
  }
  if (best.length === most && !isBetter(best.at(-1))) return
  let at = best.length
  while (at > 0 && isBetter(best[at - 1])) at -= 1
  best.splice(at, 0, one)
  if (best.length > most) best.pop()
}

/** Returns undefined if any word does not match. */
function matchOf(texts: SearchTexts, words: readonly string[]): Match | undefined {
  let score: number = texts.names.includes(words.join(' ')) ? MATCH_SCORES.whole : 1
  let [least, most]: [number, number] = [MATCH_SCORES.whole, 0]
  for (const word of words) {
    const one = scoreOfWord(texts, word)
    if (one === 0) return undefined
    score *= one
    least = Math.min(least, one)
    most = Math.max(most, one)
  }
  if (least >= MATCH_SCORES.word) return { score, place: 'start' }
  return { score, place: most >= MATCH_SCORES.within ? 'name' : 'elsewhere' }
}

function scoreOfWord({ names, detail, about }: SearchTexts, word: string): number {
  let best = 0
  for (const name of names) best = Math.max(best, scoreInName(name, word))
  if (best > 0) return best
  if (detail.includes(word)) return MATCH_SCORES.detail
  return beginsWord(about, word) ? MATCH_SCORES.about : 0
}

function scoreInName(name: string, word: string): number {
  const at = name.indexOf(word)
  if (at === 0) return name.length === word.length ? MATCH_SCORES.whole : MATCH_SCORES.beginning
  if (at === -1) return 0
  return beginsWord(name, word) ? MATCH_SCORES.word : MATCH_SCORES.within
}

function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (at === 0 || isWordBoundary(text.charAt(at - 1))) return true
  return false
}

function nearMatchOf(texts: SearchTexts, words: readonly string[]): Match | undefined {
  let score = 1
  for (const word of words) {
    const one = scoreOfWord(texts, word)
    if (one === 0 && !hasNearWord(texts, word)) return undefined
    score *= one === 0 ? MATCH_SCORES.near : one
  }
  return { score, place: 'near' }
}

function isLongEnough(word: string): boolean {
  return word.length >= MIN_NEAR_LETTERS
}

function hasNearWord({ names, detail, about }: SearchTexts, word: string): boolean {
  if (!isLongEnough(word)) return false
  return [...names, detail, about].some((text) =>
    text.split(NON_WORD_CHARACTERS).some((one) => beginsNearly(one, word)),
  )
}

/** Whether the text begins with the word, apart from one letter that is different, missing, extra, or swapped. */
function beginsNearly(text: string, word: string): boolean {
  let at = 0
  while (at < word.length && word[at] === text[at]) at += 1
  const rest = word.slice(at + 1)
  if (text.startsWith(rest, at + 1) || text.startsWith(word.slice(at), at + 1) || text.startsWith(rest, at)) return true
  return word[at] === text[at + 1] && word[at + 1] === text[at] && text.startsWith(word.slice(at + 2), at + 2)
}

const NON_WORD_CHARACTERS = /[^\p{L}\p{N}]+/u

function isWordBoundary(sign: string): boolean {
  return NON_WORD_CHARACTERS.test(sign)
}
