/** An HTML tag or entity, which stays unchanged. The renderer writes no `<` or `>` inside attributes. */
const MARKUP = /<[^<>]*>|&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi
const FORMULA = { begin: '<math', end: '</math>' }

export interface Word {
  readonly start: number
  readonly end: number
  /** The word in NFC, for comparison: it can be shorter than the text from `start` to `end`. */
  readonly text: string
}

/** `rootOf` returns the stem that all forms of a word share; `wanted` has the stems of each phrase's words. */
export function markWords(
  text: string,
  words: readonly Word[],
  rootOf: (word: string) => string | undefined,
  wanted: readonly (readonly (string | undefined)[])[],
  escape: (part: string) => string,
): string {
  const roots = words.map((word) => rootOf(word.text))
  const marked = new Set<number>()
  for (const index of roots.keys()) {
    for (const phrase of wanted) {
      if (phrase.every((root, offset) => root !== undefined && root === roots[index + offset])) {
        for (const offset of phrase.keys()) marked.add(index + offset)
      }
    }
  }
  let html = ''
  let end = 0
  for (const index of [...marked].toSorted((a, b) => a - b)) {
    const word = words[index]
    if (word === undefined) continue
    html += `${escape(text.slice(end, word.start))}<span class="highlight">${escape(text.slice(word.start, word.end))}</span>`
    end = word.end
  }
  return html + escape(text.slice(end))
}

export function wordsOf(text: string): Word[] {
  return Array.from(wordsIn(text), (found) => ({
    start: found.index,
    end: found.index + found[0].length,
    text: found[0].normalize('NFC'),
  }))
}

export function wordsOfHtml(html: string): Word[] {
  return wordsOf(withoutFormulas(html).replace(MARKUP, blanksFor))
}

function blanksFor(markup: string): string {
  return ' '.repeat(markup.length)
}

function withoutFormulas(html: string): string {
  let kept = ''
  let from = 0
  for (;;) {
    const begin = html.indexOf(FORMULA.begin, from)
    const end = begin === -1 ? -1 : html.indexOf(FORMULA.end, begin)
    if (end === -1) return kept + html.slice(from)
    const next = end + FORMULA.end.length
    kept += html.slice(from, begin) + blanksFor(html.slice(begin, next))
    from = next
  }
}

/** Splits text into words. Must match the database's parser. */
export function wordsIn(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)
}

/** `"in this order" apart host.example` has the phrases `in this order`, `apart`, and `host example`, in NFC. */
export function phrasesIn(text: string): string[] {
  const parts = [...text.normalize('NFC').matchAll(/"([^"]*)"|([^\s"]+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  )
  const phrases = parts
    .map((part) => Array.from(wordsIn(part), ([word]) => word).join(' '))
    .filter((phrase) => phrase !== '')
  return [...new Set(phrases)]
}
