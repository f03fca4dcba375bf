import type { Database } from '../../../platform/db/database.ts'

/* Parsing is the most expensive part of storing a message: 20 of 75 us, or 4 us if its words are supplied. */

/** The database parses text with other characters, because its locale decides which characters are letters. */
const ASCII_TEXT_PATTERN = /^[\t\n\r -~]*$/
/** The database's text search configuration `parley_search` treats each match as one word. */
const WORD_PATTERN = /[A-Za-z0-9]+/g
/** Beyond these limits, the database may repeat positions or truncate words. */
const MAX_WORDS = 250
const MAX_WORD_LETTERS = 100

const SERIALIZED_LEXEME_PATTERN = /'(\w+)':([\d,]+)/g

/** Large enough for a big organization's vocabulary, in a few megabytes. A full cache is emptied. */
const MAX_CACHED_WORDS = 30_000

const vocabularies = new WeakMap<Database, Vocabulary>()

export function vocabularyOf(database: Database): Vocabulary {
  const vocabulary = vocabularies.get(database) ?? new Vocabulary()
  vocabularies.set(database, vocabulary)
  return vocabulary
}

interface Lexeme {
  /** The lexeme with a terminating zero byte. */
  readonly bytes: readonly number[]
  /** Positions in the current text, of which only the first `count` are valid. */
  readonly positions: number[]
  count: number
}

export class Vocabulary {
  readonly #known = new Map<string, Lexeme>()
  readonly #lexemes = new Map<string, Lexeme>()

  /** Returns the search vector in binary format, or null if the database must compute it. */
  vectorOf(text: string): Buffer | null {
    const found: Lexeme[] = []
    const words = wordsOf(text)
    if (words === undefined) return null
    for (const word of words) {
      const lexeme = this.#known.get(word)
      if (lexeme === undefined) return null
      found.push(lexeme)
    }
    const different: Lexeme[] = []
    let length = 4 + 2 * found.length
    let position = 0
    for (const lexeme of found) {
      position += 1
      lexeme.positions[lexeme.count] = position
      lexeme.count += 1
      if (lexeme.count > 1) continue
      different.push(lexeme)
      length += lexeme.bytes.length + 2
    }
    const vector = Buffer.allocUnsafe(length)
    let end = writeUint16(vector, different.length, writeUint16(vector, 0, 0))
    for (const lexeme of different) {
      for (const byte of lexeme.bytes) vector[end++] = byte
      end = writeUint16(vector, lexeme.count, end)
      for (let index = 0; index < lexeme.count; index += 1) end = writeUint16(vector, lexeme.positions[index] ?? 0, end)
      lexeme.count = 0
    }
    return vector
  }

  learn(text: string, vector: string): void {
    const words = wordsOf(text)
    if (words === undefined || words.some((word) => word.length > MAX_WORD_LETTERS)) return
    const lexemes: (string | undefined)[] = []
    for (const [, lexeme = '', positions = ''] of vector.matchAll(SERIALIZED_LEXEME_PATTERN)) {
      for (const position of positions.split(',')) lexemes[Number(position) - 1] = lexeme
    }
    // A mismatch means that the parser split or skipped a word.
    if (lexemes.length !== words.length || lexemes.includes(undefined)) return
    for (const [index, word] of words.entries()) this.#remember(word, lexemes[index] ?? '')
  }

  #remember(word: string, text: string): void {
    if (this.#known.get(word) !== undefined) return
    if (this.#known.size >= MAX_CACHED_WORDS) {
      this.#known.clear()
      this.#lexemes.clear()
    }
    let lexeme = this.#lexemes.get(text)
    if (lexeme === undefined) {
      lexeme = { bytes: [...Buffer.from(`${text}\0`, 'latin1')], positions: [], count: 0 }
      this.#lexemes.set(copyString(text), lexeme)
    }
    this.#known.set(copyString(word), lexeme)
  }
}

function writeUint16(bytes: Buffer, value: number, at: number): number {
  bytes[at] = value >>> 8
  bytes[at + 1] = value
  return at + 2
}

/** Copies a substring, which would otherwise keep the whole text in memory. */
function copyString(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1')
}

/** Returns undefined if the database may parse the text differently. */
function wordsOf(text: string): readonly string[] | undefined {
  if (!ASCII_TEXT_PATTERN.test(text)) return undefined
  const words = text.match(WORD_PATTERN) ?? []
  return words.length > MAX_WORDS ? undefined : words
}
