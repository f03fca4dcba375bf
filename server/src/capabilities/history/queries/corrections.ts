import type { SearchClause } from '../../../kernel/search-query.ts'
import { searchTermsOf } from '../../../kernel/search-terms.ts'
import { isSpectator } from '../../../kernel/actor.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { findMessageIdsAround, MAX_ANCHOR } from './finding.ts'
import type { Condition } from './questions.ts'
import { prepareClauses, type PreparedClauses } from './search-clauses.ts'
import { isSearchTest, searchThrough } from './search.ts'

/* If a search finds nothing, words that no readable message has are taken for one typo each. */

/** A word that was not found, and the terms of messages that are one typo away. */
export type Corrections = ReadonlyMap<string, ReadonlySet<string>>

/** With a letter missing, the word can be shorter than its corrections. */
const CORRECTABLE_WORD = /^[\p{L}\p{M}]{4,30}$/u
const MIN_CORRECTED_CHARACTERS = 5
/** Each of these words takes two searches. */
const MAX_CORRECTABLE_WORDS = 5

/**
 * Returns undefined if there is nothing to correct, and for spectators. The terms can be those of unreadable messages,
 * which are not found.
 * Which statements run depends only on readable messages: the time they take must not tell of others.
 */
export async function correctSearch(
  reader: Reader,
  conditions: readonly Condition[],
): Promise<{ conditions: Condition[]; corrections: Corrections } | undefined> {
  if (isSpectator(reader.actor)) return undefined
  const search = conditions.find(({ question, negated }) => isSearchTest(question) && !negated)?.question
  if (search === undefined || !isSearchTest(search) || search.prepared === undefined) return undefined
  const { clauses, prepared } = search
  const others = conditions.filter(({ question }) => question !== search)
  const sought = clauses.filter(isCorrectable)
  if (sought.length > MAX_CORRECTABLE_WORDS) return undefined
  const { unindexed } = prepared
  const exact = new Map(sought.map((clause) => [clause, closedClause(clause)]))
  const forms = new Map(sought.flatMap(({ parts }) => parts.map(({ text }) => [text, new Set<string>()] as const)))
  const elsewhere =
    others.length === 0 ? undefined : await prepareClauses(reader, [...exact.values()], { unindexed, forms })
  const absent: string[] = []
  for (const [clause, word] of exact) {
    // The search is known to find nothing, so its only word needs no other search with the same conditions.
    const found =
      (clauses.length > 1 && (await findsAnything(reader, clause, prepared, others))) ||
      (elsewhere !== undefined && (await findsAnything(reader, word, elsewhere, [])))
    if (!found) absent.push(...clause.parts.map(({ text }) => text))
  }
  if (absent.length === 0) return undefined
  const corrections = await correctWords(reader, absent, unindexed)
  const corrected = clauses.map((clause) => {
    const isCorrected = isCorrectable(clause) && clause.parts.every(({ text }) => corrections.has(text))
    return isCorrected ? closedClause(clause) : clause
  })
  const known = { unindexed, forms: corrections }
  const main = await searchThrough(reader, corrected, await prepareClauses(reader, corrected, known))
  return { conditions: [{ question: main, negated: false }, ...others], corrections }
}

function isCorrectable({ parts }: SearchClause): boolean {
  const [part] = parts
  return part !== undefined && parts.length === 1 && part.hasForms && CORRECTABLE_WORD.test(part.text)
}

function closedClause({ parts }: SearchClause): SearchClause {
  return { parts: parts.map((part) => ({ ...part, opensLeft: false, opensRight: false })) }
}

/** Whether a readable message matches the clause and the other conditions. */
async function findsAnything(
  reader: Reader,
  clause: SearchClause,
  prepared: PreparedClauses,
  others: readonly Condition[],
): Promise<boolean> {
  const conditions = [{ question: await searchThrough(reader, [clause], prepared), negated: false }, ...others]
  const { older } = await findMessageIdsAround(reader, conditions, MAX_ANCHOR, { before: 1, after: 0 })
  return older.length > 0
}

/** Looks up every possible correction, so that the work is the same for any dictionary. */
async function correctWords(
  { db, organizationId }: Reader,
  words: readonly string[],
  { newTopics }: PreparedClauses['unindexed'],
): Promise<Corrections> {
  const possible = new Map(words.map((word) => [word, wordsNear(word)]))
  const rows = await db.rows<{ word: string }>(
    'known_words',
    'select word from search_words where organization_id = $1 and word = any($2::text[])',
    [organizationId, [...possible.values()].flatMap((near) => [...near])],
  )
  // The dictionary may lack words of new topics.
  const found = [...rows.map(({ word }) => word), ...newTopics.flatMap(({ terms }) => terms.map(({ text }) => text))]
  return new Map([...possible].map(([word, near]) => [word, new Set(found.filter((other) => near.has(other)))]))
}

/** Returns all words of at least five characters with one letter added, omitted, or replaced, or two neighbors swapped. */
function wordsNear(word: string): Set<string> {
  const letters = [...word]
  const near = new Set<string>()
  const alphabet = new Set(letters.flatMap((letter) => lettersBeside(letter)))
  for (let at = 0; at <= letters.length; at += 1) {
    const [one = '', other = ''] = letters.slice(at, at + 2)
    const [before, after, rest] = [letters.slice(0, at), letters.slice(at + 1), letters.slice(at + 2)].map((part) =>
      part.join(''),
    )
    near.add(`${before}${after}`).add(`${before}${other}${one}${rest}`)
    for (const letter of alphabet) near.add(`${before}${letter}${one}${after}`).add(`${before}${letter}${after}`)
  }
  near.delete(word)
  return new Set([...near].filter((other) => [...other].length >= MIN_CORRECTED_CHARACTERS))
}

const BLOCK_LETTERS = 128
const lettersByBlock = new Map<number, readonly string[]>()

/** Returns the letters and digits of a Unicode block, as far as words in the index have them. */
function lettersBeside(letter: string): readonly string[] {
  const block = Math.floor((letter.codePointAt(0) ?? 0) / BLOCK_LETTERS)
  const known =
    lettersByBlock.get(block) ??
    Array.from({ length: BLOCK_LETTERS }, (_, index) => String.fromCodePoint(block * BLOCK_LETTERS + index)).filter(
      (one) => searchTermsOf(one).some(({ text, kind }) => text === one && kind === 'word'),
    )
  lettersByBlock.set(block, known)
  return known
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
