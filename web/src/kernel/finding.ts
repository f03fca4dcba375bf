import { caseKey } from '@parley/server/kernel/case-key'
import { foldText } from './ranking.ts'

export interface Findable {
  readonly key: string
  readonly name: string
  readonly detail?: string | undefined
  /** Description and synonyms, of which only the beginnings of words match. */
  readonly about?: string | undefined
}

interface SearchTexts {
  readonly name: string
  readonly detail: string
  readonly about: string
}

/** Folded texts, created on first use, because folding all names at once would delay a key press. */
const cachedTexts = new WeakMap<Findable, SearchTexts>()

function searchTextsOf(item: Findable): SearchTexts {
  let found = cachedTexts.get(item)
  if (found === undefined) {
    found = { name: foldedKey(item.name), detail: foldedKey(item.detail ?? ''), about: foldedKey(item.about ?? '') }
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

type Scorer = (texts: SearchTexts, words: readonly string[]) => number

/** Typing more letters searches only the previous matches, because longer words never match additional items. */
export class Finder<Item extends Findable> {
  readonly #all: readonly Item[]
  readonly #weightOf: (item: Item) => number
  #typed = ''
  #left: readonly Item[]

  /** @param weightOf probability that the item is wanted, regardless of the text */
  constructor(items: readonly Item[], weightOf: (item: Item) => number) {
    this.#all = items
    this.#left = items
    this.#weightOf = weightOf
  }

  /** Returns the best matches, else those one letter off. @param give yields to other work @param signal aborts it */
  async find(typed: string, most: number, give: () => Promise<void>, signal: AbortSignal): Promise<readonly Item[]> {
    const words = foldedKey(typed).split(/\s+/).filter(Boolean)
    const from = this.#typed !== '' && typed.startsWith(this.#typed) ? this.#left : this.#all
    const { left, best } = await this.#search(from, scoreOf, words, most, give, signal)
    if (signal.aborted) return []
    this.#typed = typed
    this.#left = left
    if (best.length > 0 || !words.some(isLongEnough)) return best
    return (await this.#search(this.#all, nearScoreOf, words, most, give, signal)).best
  }

  async #search(
    from: readonly Item[],
    score: Scorer,
    words: readonly string[],
    most: number,
    give: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<{ readonly left: readonly Item[]; readonly best: readonly Item[] }> {
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
      const fit = score(searchTextsOf(item), words)
      if (fit === 0) continue
      left.push(item)
      insertSortedByScore(best, { item, score: fit * this.#weightOf(item) }, most)
    }
    return { left, best: best.map(({ item }) => item) }
  }
}

interface ScoredItem<Item> {
  readonly item: Item
  readonly score: number
}

/** Compares with the last item first, because nearly all of the thousands of items score lower. */
function insertSortedByScore<Item extends Findable>(
  best: ScoredItem<Item>[],
  one: ScoredItem<Item>,
  most: number,
): void {
  const isBetter = (other: ScoredItem<Item> | undefined): boolean =>
    other === undefined ||
    one.score > other.score ||
    (one.score === other.score && one.item.name.length < other.item.name.length)
  if (best.length === most && !isBetter(best.at(-1))) return
  let at = best.length
  while (at > 0 && isBetter(best[at - 1])) at -= 1
  best.splice(at, 0, one)
  if (best.length > most) best.pop()
}

/** Returns the item's score; 0 if any word does not match. */
function scoreOf(texts: SearchTexts, words: readonly string[]): number {
  let fit: number = texts.name === words.join(' ') ? MATCH_SCORES.whole : 1
  for (const word of words) {
    const one = scoreOfWord(texts, word)
    if (one === 0) return 0
    fit *= one
  }
  return fit
}

function scoreOfWord({ name, detail, about }: SearchTexts, word: string): number {
  const at = name.indexOf(word)
  if (at === 0) return name.length === word.length ? MATCH_SCORES.whole : MATCH_SCORES.beginning
  if (at !== -1) return beginsWord(name, word) ? MATCH_SCORES.word : MATCH_SCORES.within
  if (detail.includes(word)) return MATCH_SCORES.detail
  return beginsWord(about, word) ? MATCH_SCORES.about : 0
}

function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (at === 0 || isWordBoundary(text.charAt(at - 1))) return true
  return false
}

function nearScoreOf(texts: SearchTexts, words: readonly string[]): number {
  let fit = 1
  for (const word of words) {
    const one = scoreOfWord(texts, word)
    if (one === 0 && !hasNearWord(texts, word)) return 0
    fit *= one === 0 ? MATCH_SCORES.near : one
  }
  return fit
}

function isLongEnough(word: string): boolean {
  return word.length >= MIN_NEAR_LETTERS
}

function hasNearWord({ name, detail, about }: SearchTexts, word: string): boolean {
  if (!isLongEnough(word)) return false
  return [name, detail, about].some((text) => text.split(NON_WORD_CHARACTERS).some((one) => beginsNearly(one, word)))
}

/** Whether the text begins with the word, or with a word in which one letter is other, missing, extra, or swapped. */
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
