import { createYielder } from '../../../kernel/pauses.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { escapeHtml } from '../../../platform/markdown/escape.ts'
import type { Condition } from './questions.ts'
import { markWords, wordsOf, wordsOfHtml } from '../contract/marking.ts'
import { isSearch } from './search.ts'

export interface HighlightedMessage {
  readonly html: string
  readonly text: string
}

/**
 * Highlights matches with one query for all messages, because only the database knows the forms of a word. Yields to
 * other requests between messages, because many long ones take a while.
 */
export async function highlightMessages(
  reader: Reader,
  conditions: readonly Condition[],
  messages: readonly { readonly html: string; readonly text: string }[],
): Promise<HighlightedMessage[]> {
  const phrases = conditions
    .flatMap(({ question, negated }) => (isSearch(question) && !negated ? question.phrases : []))
    .map((phrase) => phrase.split(' '))
  const pause = createYielder()
  const beginnings = new Set(phrases.flat().map(firstLetterOf))
  const seen = new Set(phrases.flat())
  for (const { html, text } of phrases.length === 0 ? [] : messages) {
    // Forms of a word differ only in their endings.
    for (const words of [wordsOfHtml(html), wordsOf(text)]) {
      for (const word of words) if (beginnings.has(firstLetterOf(word.text))) seen.add(word.text)
    }
    await pause()
  }
  const roots = await rootsOf(reader, [...seen])
  const rootOf = (word: string): string | undefined => roots.get(word)
  const wanted = phrases.map((phrase) => phrase.map(rootOf))
  const found: HighlightedMessage[] = []
  for (const { html, text } of messages) {
    found.push({
      html: markWords(html, wordsOfHtml(html), rootOf, wanted, (part) => part),
      text: markWords(text, wordsOf(text), rootOf, wanted, escapeHtml),
    })
    await pause()
  }
  return found
}

function firstLetterOf(word: string): string {
  return [...word.toLowerCase()][0] ?? ''
}

async function rootsOf({ db }: Reader, words: readonly string[]): Promise<Map<string, string>> {
  if (words.length === 0) return new Map()
  const rows = await db.rows<{ word: string; root: string | null }>(
    'word_roots',
    `select word, (tsvector_to_array(to_tsvector('parley_search', word)))[1] as root from unnest($1::text[]) as word`,
    [words],
  )
  return new Map(rows.flatMap(({ word, root }) => (root === null ? [] : [[word, root] as const])))
}
