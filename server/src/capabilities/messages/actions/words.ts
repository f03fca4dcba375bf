import type { Database } from '../../../platform/db/database.ts'

/*
 * The words of messages, as the database's search knows them. Taking a text apart and finding the stems of its words is
 * the dearest part of storing a message (measured: 20 us of 75, against 4 for words that it is told), and most words have
 * been there before. So it is told the words that it said itself, and takes texts apart only where one is new.
 */

/** Only the database can judge texts with other characters: whether those are letters may depend on its locale. */
const JUDGED_HERE = /^[\t\n\r -~]*$/
/** Letters and digits between blanks, as `parley_search` leaves them: there the database's parser sees each as one word. */
const WORD = /[A-Za-z0-9]+/g
/** Texts above these limits are left to the database: positions would repeat, or words would be cut. */
const MAX_WORDS = 250
const MAX_LETTERS = 100

/** One lexeme of a vector as the database writes it; such words need no escapes. */
const LEXEMES = /'(\w+)':([\d,]+)/g

/** Words remembered, until all are learned anew: a large organization's usual vocabulary, in a few megabytes. */
const MAX_REMEMBERED = 30_000

const vocabularies = new WeakMap<Database, Vocabulary>()

/** The vocabulary that was learned from a database so far. */
export function vocabularyOf(database: Database): Vocabulary {
  const vocabulary = vocabularies.get(database) ?? new Vocabulary()
  vocabularies.set(database, vocabulary)
  return vocabulary
}

/** The lexeme that the database makes of a word; several words can have the same. */
interface Lexeme {
  /** The lexeme with a zero byte at its end. */
  readonly bytes: readonly number[]
  /** The lexeme's positions in the text that is being looked at: the first `count` of them. */
  readonly positions: number[]
  count: number
}

/** The lexemes that one database makes of words, learned from its own answers. */
export class Vocabulary {
  readonly #known = new Map<string, Lexeme>()
  /** The lexemes by their own text. */
  readonly #lexemes = new Map<string, Lexeme>()

  /** A text's search vector, as the database receives it in binary; null when the database has to make it. */
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
    let end = writeShort(vector, different.length, writeShort(vector, 0, 0))
    for (const lexeme of different) {
      // By hand: for a few bytes, calling something to copy them takes longer.
      for (const byte of lexeme.bytes) vector[end++] = byte
      end = writeShort(vector, lexeme.count, end)
      for (let index = 0; index < lexeme.count; index += 1) end = writeShort(vector, lexeme.positions[index] ?? 0, end)
      lexeme.count = 0
    }
    return vector
  }

  /** Remembers the lexemes that the database made of a text's words. */
  learn(text: string, vector: string): void {
    const words = wordsOf(text)
    if (words === undefined || words.some((word) => word.length > MAX_LETTERS)) return
    const lexemes: (string | undefined)[] = []
    for (const [, lexeme = '', positions = ''] of vector.matchAll(LEXEMES)) {
      for (const position of positions.split(',')) lexemes[Number(position) - 1] = lexeme
    }
    // Otherwise it took one of them for two, or for none.
    if (lexemes.length !== words.length || lexemes.includes(undefined)) return
    for (const [index, word] of words.entries()) this.#remember(word, lexemes[index] ?? '')
  }

  #remember(word: string, text: string): void {
    if (this.#known.get(word) !== undefined) return
    if (this.#known.size >= MAX_REMEMBERED) {
      this.#known.clear()
      this.#lexemes.clear()
    }
    let lexeme = this.#lexemes.get(text)
    if (lexeme === undefined) {
      lexeme = { bytes: [...Buffer.from(`${text}\0`, 'latin1')], positions: [], count: 0 }
      this.#lexemes.set(alone(text), lexeme)
    }
    this.#known.set(alone(word), lexeme)
  }
}

/** @returns where the next begins */
function writeShort(bytes: Buffer, value: number, at: number): number {
  bytes[at] = value >>> 8
  bytes[at + 1] = value
  return at + 2
}

/** A part of a text keeps the whole text in memory. */
function alone(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1')
}

/** The words of a text; undefined where the database may see others, or has to look itself. */
function wordsOf(text: string): readonly string[] | undefined {
  if (!JUDGED_HERE.test(text)) return undefined
  const words = text.match(WORD) ?? []
  return words.length > MAX_WORDS ? undefined : words
}
