import type { SearchClause } from '../../../kernel/search-query.ts'
import { searchTermsOf } from '../../../kernel/search-terms.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { findMessageIdsAround } from './finding.ts'
import type { Condition } from './questions.ts'
import { readUnindexed } from './search-clauses.ts'
import { isSearchTest, prepareSearches, searchTest, type SearchTest } from './search.ts'
import { MAX_ANCHOR } from './window.ts'

/* If a search finds nothing, words that no readable message has are taken for one typo each. */

/** A word that was not found, and the terms of messages that are one typo away. */
export type Corrections = ReadonlyMap<string, ReadonlySet<string>>

const CORRECTABLE_WORD = /^[\p{L}\p{M}]{5,}$/u
/** Each of these words takes two searches. */
const MAX_CORRECTABLE_WORDS = 5

/** Returns undefined if there is nothing to correct. The terms can be those of unreadable messages, which are not found. */
export async function correctSearch(
  reader: Reader,
  conditions: readonly Condition[],
): Promise<{ conditions: Condition[]; corrections: Corrections } | undefined> {
  const search = conditions.find(({ question, negated }) => isSearchTest(question) && !negated)?.question
  if (search === undefined || !isSearchTest(search)) return undefined
  const others = conditions.filter(({ question }) => question !== search)
  const sought = search.clauses.filter(isCorrectable)
  if (sought.length === 0 || sought.length > MAX_CORRECTABLE_WORDS) return undefined
  const corrections = new Map<string, ReadonlySet<string>>()
  const { newTopics } = await readUnindexed(reader)
  // The dictionary may lack words of new topics.
  const topicWords = newTopics.flatMap(({ terms }) => terms.map(({ text }) => text))
  for (const clause of sought) {
    const [word = ''] = clause.parts.map(({ text }) => text)
    const near = await wordsNear(reader, word, topicWords)
    // The search is known to find nothing, so its only word needs no other search with the same conditions.
    const isOnly = search.clauses.length === 1
    const scopes = [...(isOnly ? [] : [others]), ...(others.length > 0 ? [[]] : [])]
    if (near.size > 0 && !(await findsAnything(reader, clause, scopes))) corrections.set(word, near)
  }
  if (corrections.size === 0) return undefined
  const { main } = await prepareSearches(reader, correctedTest(search, corrections), [], corrections)
  return main && { conditions: [{ question: main, negated: false }, ...others], corrections }
}

function isCorrectable({ parts }: SearchClause): boolean {
  const [part] = parts
  return part !== undefined && parts.length === 1 && part.hasForms && CORRECTABLE_WORD.test(part.text)
}

function correctedTest({ clauses }: SearchTest, corrections: Corrections): SearchTest {
  return searchTest(
    clauses.map((clause) =>
      clause.parts.length === 1 && clause.parts.every(({ text, hasForms }) => hasForms && corrections.has(text))
        ? { parts: clause.parts.map((part) => ({ ...part, opensLeft: false, opensRight: false })) }
        : clause,
    ),
  )
}

/** Whether a readable message matches the clause and the other conditions of one of the scopes. */
async function findsAnything(
  reader: Reader,
  clause: SearchClause,
  scopes: readonly (readonly Condition[])[],
): Promise<boolean> {
  if (scopes.length === 0) return false
  const { main } = await prepareSearches(reader, searchTest([clause]), [])
  if (main === undefined) return false
  for (const others of scopes) {
    const conditions = [{ question: main, negated: false }, ...others]
    const { older } = await findMessageIdsAround(reader, conditions, MAX_ANCHOR, { before: 1, after: 0 })
    if (older.length > 0) return true
  }
  return false
}

/** One of the halves is the same unless two letters in the middle were swapped. */
async function wordsNear(
  { db, organizationId }: Reader,
  word: string,
  others: readonly string[],
): Promise<ReadonlySet<string>> {
  const letters = [...word]
  const half = Math.floor(letters.length / 2)
  const swapped = letters.slice(1).map((_, at) => swapAt(letters, at))
  const rows = await db.rows<{ word: string }>(
    'search_neighbors',
    'select search_neighbors($1, $2::text[], $3::text[], $4) as word',
    [
      organizationId,
      [`${letters.slice(0, half).join('')}%`, `%${letters.slice(half).join('')}`],
      swapped,
      letters.length,
    ],
  )
  const found = [...rows.map((row) => row.word), ...others]
  return new Set(found.filter((other) => other !== word && isOneTypo(letters, [...other])))
}

function swapAt(letters: readonly string[], at: number): string {
  const [one = '', other = ''] = [letters[at], letters[at + 1]]
  return [...letters.slice(0, at), other, one, ...letters.slice(at + 2)].join('')
}

/** Whether one letter was added, omitted, or replaced, or two neighbors were swapped. */
export function isOneTypo(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1) return false
  const at = long.findIndex((letter, index) => letter !== short[index])
  if (at === -1) return false
  const rest = (letters: readonly string[], from: number): string => letters.slice(from).join('')
  if (long.length > short.length) return rest(long, at + 1) === rest(short, at)
  if (rest(long, at + 1) === rest(short, at + 1)) return true
  return long[at] === short[at + 1] && long[at + 1] === short[at] && rest(long, at + 2) === rest(short, at + 2)
}

/** Lists corrections with the terms that the given texts have. */
export function presentCorrections(
  corrections: Corrections,
  texts: readonly string[],
): { word: string; corrected_to: string[] }[] {
  const terms = new Set(texts.flatMap((text) => searchTermsOf(text)).map(({ text }) => text))
  return [...corrections].map(([word, near]) => ({
    word,
    corrected_to: [...near].filter((term) => terms.has(term)).toSorted(),
  }))
}
