import { caseKey } from '@parley/server/kernel/case-key'

export interface Findable {
  readonly key: string
  readonly name: string
  readonly detail?: string | undefined
}

interface Texts {
  readonly name: string
  readonly detail: string
}

/** Lower-cased names, created on first use, because lower-casing all names at once would delay a key press. */
const cachedTexts = new WeakMap<Findable, Texts>()

function textsOf(item: Findable): Texts {
  let found = cachedTexts.get(item)
  if (found === undefined) {
    found = { name: caseKey(item.name), detail: caseKey(item.detail ?? '') }
    cachedTexts.set(item, found)
  }
  return found
}

/** Number of items after which a search checks the time. */
const ITEMS_PER_TIME_CHECK = 500
/** A search yields after this time, so that the next key press is not delayed. */
const BUDGET_MILLISECONDS = 8

/** Scores of matches: the whole name, its beginning, the beginning of a word, any other part, or the detail. */
const MATCH_SCORES = { whole: 8, beginning: 5, word: 3, within: 1.5, detail: 1 } as const

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

  /** Returns the best matches first. @param give yields to other work @param signal aborts when the user types more */
  async find(typed: string, most: number, give: () => Promise<void>, signal: AbortSignal): Promise<readonly Item[]> {
    const words = caseKey(typed).split(/\s+/).filter(Boolean)
    const from = this.#typed !== '' && typed.startsWith(this.#typed) ? this.#left : this.#all
    const left: Item[] = []
    const best: ScoredItem<Item>[] = []
    let began = performance.now()
    for (const [index, item] of from.entries()) {
      if (
        index % ITEMS_PER_TIME_CHECK === ITEMS_PER_TIME_CHECK - 1 &&
        performance.now() - began > BUDGET_MILLISECONDS
      ) {
        await give()
        if (signal.aborted) return []
        began = performance.now()
      }
      const fit = scoreOf(textsOf(item), words)
      if (fit === 0) continue
      left.push(item)
      insertByScore(best, { item, score: fit * this.#weightOf(item) }, most)
    }
    this.#typed = typed
    this.#left = left
    return best.map(({ item }) => item)
  }
}

interface ScoredItem<Item> {
  readonly item: Item
  readonly score: number
}

/** Compares with the last item first, because nearly all of the thousands of items score lower. */
function insertByScore<Item extends Findable>(best: ScoredItem<Item>[], one: ScoredItem<Item>, most: number): void {
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
function scoreOf({ name, detail }: Texts, words: readonly string[]): number {
  let fit: number = name === words.join(' ') ? MATCH_SCORES.whole : 1
  for (const word of words) {
    const one = scoreOfWord(name, detail, word)
    if (one === 0) return 0
    fit *= one
  }
  return fit
}

function scoreOfWord(name: string, detail: string, word: string): number {
  let at = name.indexOf(word)
  if (at === 0) return name.length === word.length ? MATCH_SCORES.whole : MATCH_SCORES.beginning
  if (at === -1) return detail.includes(word) ? MATCH_SCORES.detail : 0
  for (; at !== -1; at = name.indexOf(word, at + 1)) if (isBoundary(name.charAt(at - 1))) return MATCH_SCORES.word
  return MATCH_SCORES.within
}

function isBoundary(sign: string): boolean {
  return !/[\p{L}\p{N}]/u.test(sign)
}
