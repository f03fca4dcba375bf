import { pausing } from '../../../kernel/pauses.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { escapeHtml } from '../../../platform/markdown/escape.ts'
import type { Condition } from './questions.ts'
import { isSearch, wordsIn } from './search.ts'

/** A message's content and topic with the matches of a search marked, as HTML. */
export interface Highlighted {
  readonly html: string
  readonly text: string
}

/** A tag or an entity of HTML: never marked, never broken. The renderer writes no `<` or `>` inside an attribute. */
const MARKUP = /<[^<>]*>|&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi
/** A formula, of which nothing is marked either. */
const FORMULA = { begin: '<math', end: '</math>' }

interface Word {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Marks the matches in some messages, each of which has HTML and a text. Only the database knows which words are
 * forms of one another; it is asked once, about all of them. Thousands of long messages take a while, during which
 * other requests go on.
 */
export async function highlighted(
  reader: Reader,
  conditions: readonly Condition[],
  messages: readonly { readonly html: string; readonly text: string }[],
): Promise<Highlighted[]> {
  const phrases = conditions
    .flatMap(({ question, negated }) => (isSearch(question) && !negated ? question.phrases : []))
    .map((phrase) => phrase.split(' '))
  const pause = pausing()
  const beginnings = new Set(phrases.flat().map(beginning))
  const seen = new Set(phrases.flat())
  for (const { html, text } of phrases.length === 0 ? [] : messages) {
    // Endings differ between forms, beginnings do not.
    for (const words of [wordsOfHtml(html), wordsOf(text)]) {
      for (const word of words) if (beginnings.has(beginning(word.text))) seen.add(word.text)
    }
    await pause()
  }
  const roots = await rootsOf(reader, [...seen])
  const rootOf = (word: string): string | undefined => roots.get(word)
  const wanted = phrases.map((phrase) => phrase.map(rootOf))
  const found: Highlighted[] = []
  for (const { html, text } of messages) {
    found.push({
      html: mark(html, wordsOfHtml(html), rootOf, wanted, (part) => part),
      text: mark(text, wordsOf(text), rootOf, wanted, escapeHtml),
    })
    await pause()
  }
  return found
}

/** @param wanted the roots of each phrase's words; undefined for words that have none, which are nowhere */
function mark(
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
    html += `${escape(text.slice(end, word.start))}<span class="highlight">${escape(word.text)}</span>`
    end = word.end
  }
  return html + escape(text.slice(end))
}

function beginning(word: string): string {
  return [...word.toLowerCase()][0] ?? ''
}

function wordsOf(text: string): Word[] {
  return Array.from(wordsIn(text), (found) => ({
    start: found.index,
    end: found.index + found[0].length,
    text: found[0],
  }))
}

/** Words between tags and entities. */
function wordsOfHtml(html: string): Word[] {
  return wordsOf(withoutFormulas(html).replace(MARKUP, blank))
}

/** Blanks of the same length as the markup, so that the words stay where they are. */
function blank(markup: string): string {
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
    kept += html.slice(from, begin) + blank(html.slice(begin, next))
    from = next
  }
}

/** What all forms of a word have in common, by word. */
async function rootsOf({ db }: Reader, words: readonly string[]): Promise<Map<string, string>> {
  if (words.length === 0) return new Map()
  const rows = await db.rows<{ word: string; root: string | null }>(
    'word_roots',
    `select word, (tsvector_to_array(to_tsvector('parley_search', word)))[1] as root from unnest($1::text[]) as word`,
    [words],
  )
  return new Map(rows.flatMap(({ word, root }) => (root === null ? [] : [[word, root] as const])))
}
