import type { SearchTerm } from '../../../kernel/search-terms.ts'
import { searchTermsOf } from '../../../kernel/search-terms.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { Database } from '../../../platform/db/database.ts'
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

export function indexText(text: string): IndexedText {
  const terms = searchTermsOf(text)
  return { vector: vectorOf(terms), words: wordsOf(terms) }
}

function vectorOf(terms: readonly SearchTerm[]): Buffer {
  const places = new Map<string, number[]>()
  let length = 4
  for (const [index, { text }] of terms.entries()) {
    const known = places.get(text)
    if (known === undefined) {
      length += Buffer.byteLength(text) + 5
      if (length > MAX_VECTOR_BYTES) break
      places.set(text, [index + 1])
    } else if (known.length < MAX_POSITIONS_PER_TERM && index < MAX_POSITION) {
      length += 2
      known.push(index + 1)
    }
  }
  const vector = Buffer.allocUnsafe(length)
  let end = vector.writeUInt32BE(places.size, 0)
  for (const [text, positions] of places) {
    end += vector.write(text, end)
    end = vector.writeUInt8(0, end)
    end = vector.writeUInt16BE(positions.length, end)
    for (const position of positions) end = vector.writeUInt16BE(Math.min(position, MAX_POSITION), end)
  }
  return vector.subarray(0, end)
}

function wordsOf(terms: readonly SearchTerm[]): string[] {
  const words = new Set<string>()
  for (const { text, kind } of terms) if (kind === 'word' && [...text].length >= MIN_WORD_CHARACTERS) words.add(text)
  return [...words]
}

/** Total of all organizations, in about 20 MB. A full set is emptied. */
const MAX_KNOWN_WORDS = 200_000

/** Remembers words that are committed to organizations' dictionaries, so that most messages write none. */
export class KnownWords {
  readonly #byOrganization = new Map<number, Set<string>>()
  #count = 0

  /** Returns the words that the dictionary may lack, sorted. */
  missing(organizationId: number, words: Iterable<string>): string[] {
    const known = this.#byOrganization.get(organizationId)
    return [...new Set(words)].filter((word) => known?.has(word) !== true).toSorted()
  }

  /** Call this only after the words were committed. */
  add(organizationId: number, words: readonly string[]): void {
    if (this.#count + words.length > MAX_KNOWN_WORDS) {
      this.#byOrganization.clear()
      this.#count = 0
    }
    const known = this.#byOrganization.get(organizationId) ?? new Set()
    const before = known.size
    for (const word of words) known.add(word)
    this.#byOrganization.set(organizationId, known)
    this.#count += known.size - before
  }
}

const knownWords = new WeakMap<Database, KnownWords>()

export function knownWordsOf(database: Database): KnownWords {
  const known = knownWords.get(database) ?? new KnownWords()
  knownWords.set(database, known)
  return known
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
