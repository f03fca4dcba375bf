/** Something that is found by its name, or by what stands beside it. */
export interface Findable {
  readonly key: string
  readonly name: string
  readonly detail?: string | undefined
}

/** Its texts in small letters. */
interface Texts {
  readonly name: string
  readonly detail: string
}

/** Made when a thing is first looked at, since all at once hold up a key, and kept as long as the thing is. */
const texts = new WeakMap<Findable, Texts>()

function textsOf(item: Findable): Texts {
  let found = texts.get(item)
  if (found === undefined) {
    found = { name: item.name.toLowerCase(), detail: item.detail?.toLowerCase() ?? '' }
    texts.set(item, found)
  }
  return found
}

/** So many things are looked at before it is seen whether there is time for more. */
const SLICE = 500
/** A search that takes longer than this gives way, so that the next key is not late. */
const BUDGET_MILLISECONDS = 8

/** How well a word fits: what begins with it before what has a word that does, before what contains it, before what stands beside. */
const FITS = { whole: 8, beginning: 5, word: 3, within: 1.5, detail: 1 } as const

/**
 * Finds things by words that are typed letter by letter. What does not have a word does not have a longer one: more letters
 * look only through what was found before.
 */
export class Finder<Item extends Findable> {
  readonly #all: readonly Item[]
  readonly #weightOf: (item: Item) => number
  #typed = ''
  #left: readonly Item[]

  /** @param weightOf how likely one means it, whatever is typed */
  constructor(items: readonly Item[], weightOf: (item: Item) => number) {
    this.#all = items
    this.#left = items
    this.#weightOf = weightOf
  }

  /**
   * What fits best, the best first.
   * @param give lets others go on; typing meanwhile aborts the search
   */
  async find(typed: string, most: number, give: () => Promise<void>, signal: AbortSignal): Promise<readonly Item[]> {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
    const from = this.#typed !== '' && typed.startsWith(this.#typed) ? this.#left : this.#all
    const left: Item[] = []
    const best: Scored<Item>[] = []
    let began = performance.now()
    for (const [index, item] of from.entries()) {
      if (index % SLICE === SLICE - 1 && performance.now() - began > BUDGET_MILLISECONDS) {
        await give()
        if (signal.aborted) return []
        began = performance.now()
      }
      const fit = fitOf(textsOf(item), words)
      if (fit === 0) continue
      left.push(item)
      insert(best, { item, score: fit * this.#weightOf(item) }, most)
    }
    this.#typed = typed
    this.#left = left
    return best.map(({ item }) => item)
  }
}

interface Scored<Item> {
  readonly item: Item
  readonly score: number
}

/** Puts a thing into its place among the best: nearly all of thousands are worse than the last of these. */
function insert<Item extends Findable>(best: Scored<Item>[], one: Scored<Item>, most: number): void {
  const isBetter = (other: Scored<Item> | undefined): boolean =>
    other === undefined ||
    one.score > other.score ||
    (one.score === other.score && one.item.name.length < other.item.name.length)
  if (best.length === most && !isBetter(best.at(-1))) return
  let at = best.length
  while (at > 0 && isBetter(best[at - 1])) at -= 1
  best.splice(at, 0, one)
  if (best.length > most) best.pop()
}

/** 0 where a word is nowhere. */
function fitOf({ name, detail }: Texts, words: readonly string[]): number {
  // Of much that has the words, what is called so and nothing else comes first.
  let fit: number = name === words.join(' ') ? FITS.whole : 1
  for (const word of words) {
    const one = fitOfWord(name, detail, word)
    if (one === 0) return 0
    fit *= one
  }
  return fit
}

function fitOfWord(name: string, detail: string, word: string): number {
  let at = name.indexOf(word)
  if (at === 0) return name.length === word.length ? FITS.whole : FITS.beginning
  if (at === -1) return detail.includes(word) ? FITS.detail : 0
  for (; at !== -1; at = name.indexOf(word, at + 1)) if (isBoundary(name.charAt(at - 1))) return FITS.word
  return FITS.within
}

function isBoundary(sign: string): boolean {
  return !/[\p{L}\p{N}]/u.test(sign)
}
