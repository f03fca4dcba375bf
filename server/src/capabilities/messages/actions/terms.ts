import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import { MAX_TERM_LENGTH, searchTermsOf } from '../../../kernel/search-terms.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { searchLanguagesOf } from '../../organizations/queries/search-languages.ts'

/* PostgreSQL's limits of a search vector. */
const MAX_POSITION = 16_383
const MAX_POSITIONS_PER_TERM = 255
const MAX_VECTOR_BYTES = 1_000_000

/** Shorter words have no parts or forms to look up. */
const MIN_WORD_CHARACTERS = 3

export interface IndexedText {
  /** Search vector in binary format. */
  readonly vector: Buffer
  /** Words that the organization's dictionary must have, each once. */
  readonly words: readonly string[]
}

/** Cached because encoding words took most of the time: 25 of 140 us per send. */
interface EncodedTerm {
  readonly text: string
  /** The term with a terminating zero byte. */
  readonly bytes: Uint8Array
  readonly isWord: boolean
  /** Positions in the current text, of which only the first `count` are valid. */
  readonly positions: number[]
  count: number
}

/** Large enough for big organizations' vocabularies, in a few megabytes. */
const MAX_ENCODED_TERMS = 30_000
const encodedTerms = new Map<string, EncodedTerm>()

const ASCII_PATTERN = /^[\0-\x7f]*$/

export function indexText(text: string): IndexedText {
  // Not within a text, which would then have a term twice.
  if (encodedTerms.size >= MAX_ENCODED_TERMS) encodedTerms.clear()
  const terms = ASCII_PATTERN.test(text)
    ? (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => encodedTerm(word.slice(0, MAX_TERM_LENGTH), true))
    : searchTermsOf(text).map((term) => encodedTerm(term.text, term.kind === 'word'))
  const different: EncodedTerm[] = []
  let length = 4
  for (const [index, term] of terms.entries()) {
    if (term.count === 0) {
      if (length + term.bytes.length + 4 > MAX_VECTOR_BYTES) break
      different.push(term)
      length += term.bytes.length + 4
    } else if (term.count < MAX_POSITIONS_PER_TERM && index < MAX_POSITION) length += 2
    else continue
    term.positions[term.count] = Math.min(index + 1, MAX_POSITION)
    term.count += 1
  }
  return {
    vector: writeVector(different, length),
    words: different.flatMap(({ isWord, text: word }) => (isWord ? word : [])),
  }
}

/** Resets the terms for the next text. */
function writeVector(terms: readonly EncodedTerm[], length: number): Buffer {
  const vector = Buffer.allocUnsafe(length)
  let end = writeUint16(vector, terms.length, writeUint16(vector, terms.length >>> 16, 0))
  for (const term of terms) {
    for (const byte of term.bytes) vector[end++] = byte
    end = writeUint16(vector, term.count, end)
    for (let index = 0; index < term.count; index += 1) end = writeUint16(vector, term.positions[index] ?? 0, end)
    term.count = 0
  }
  return vector
}

function writeUint16(bytes: Buffer, value: number, at: number): number {
  bytes[at] = value >>> 8
  bytes[at + 1] = value
  return at + 2
}

function encodedTerm(text: string, isWord: boolean): EncodedTerm {
  const known = encodedTerms.get(text)
  if (known !== undefined) return known
  const bytes = Buffer.from(`${text}\0`)
  // Decodes the term again, because a substring would keep the whole text in memory.
  const copy = bytes.toString('utf8', 0, bytes.length - 1)
  const isLong = isWord && [...text].length >= MIN_WORD_CHARACTERS
  const term = { text: copy, bytes: new Uint8Array(bytes), isWord: isLong, positions: [], count: 0 }
  encodedTerms.set(copy, term)
  return term
}

/** Maximum number of remembered words per organization. They take a few megabytes. */
const MAX_KNOWN_WORDS = 50_000

/** Words that are committed to organizations' dictionaries, so that most messages write none. */
const wordsByOrganization = new WeakMap<OrganizationState, BoundedCache<string, true>>()

/** Returns the words that the organization's dictionary may lack, sorted. */
export function missingWords(organization: OrganizationState, words: Iterable<string>): string[] {
  const known = wordsByOrganization.get(organization)
  const missing = new Set<string>()
  for (const word of words) if (known?.get(word) !== true) missing.add(word)
  return [...missing].toSorted()
}

/** Call this only after the words were committed. */
export function rememberWords(organization: OrganizationState, words: readonly string[]): void {
  const known = wordsByOrganization.get(organization) ?? new BoundedCache(MAX_KNOWN_WORDS)
  wordsByOrganization.set(organization, known)
  for (const word of words) known.set(word, true)
}

/**
 * Builds SQL that adds words to the dictionary. `from` has the rows `given (word)`. All writers hold the organization's
 * lock, so none waits in a cycle.
 */
export function insertWordsSql(names: { organization: string; from: string; languages: string }): string {
  return `insert into search_words (organization_id, word, stems, languages)
  select ${names.organization}, given.word, word_stems(given.word, ${names.languages}), ${names.languages}
  from ${names.from}
  where not exists (
    select from search_words known where known.organization_id = ${names.organization} and known.word = given.word)
  on conflict do nothing`
}

const INSERT_WORDS = insertWordsSql({
  organization: '$1',
  from: 'unnest($2::text[]) as given(word)',
  languages: '$3::text',
})

export async function insertWords(
  { db, organization }: { readonly db: Pick<Tx['db'], 'rows'>; readonly organization: OrganizationState },
  words: readonly string[],
): Promise<void> {
  if (words.length === 0) return
  await db.rows('insert_words', INSERT_WORDS, [organization.id, words, searchLanguagesOf(organization)])
}
