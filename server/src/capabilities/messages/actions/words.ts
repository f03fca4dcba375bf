import type { Database } from '../../../platform/db/database.ts'

/*
 * The words of messages, as the database's search knows them. Taking a text apart and finding the stems of its words is
 * the dearest part of storing a message (measured: 20 us of 75, against 4 for words that it is told), and most words have
 * been there before. So it is told the words that it said itself, and takes texts apart only where one is new.
 */

/** Letters and digits between blanks, as `parley_search` leaves them: there the database's parser sees each as one word. */
const WORDS = /[A-Za-z0-9]+/g
/** Everything else is for the database: whether other characters are letters may depend on its locale. */
const OTHER = /[^\t\n\r -~]/
/** Where positions repeat or words are cut, the database would have to be asked how. */
const MAX_WORDS = 250
const MAX_LETTERS = 100

/** Of a vector as the database writes it; such words need no escapes. */
const LEXEMES = /'(\w+)':([\d,]+)/g

/** Words remembered: those of a large organization's usual vocabulary, in a few megabytes. */
const MAX_REMEMBERED = 30_000

const vocabularies = new WeakMap<Database, Vocabulary>()

/** What a database has said so far. */
export function vocabularyOf(database: Database): Vocabulary {
  const vocabulary = vocabularies.get(database) ?? new Vocabulary()
  vocabularies.set(database, vocabulary)
  return vocabulary
}

/** What one database makes of words, learned from its own answers. */
export class Vocabulary {
  readonly #lexemes = new Map<string, string>()

  /** A text's search vector; null when the database has to make it. */
  vectorOf(text: string): string | null {
    const words = wordsOf(text)
    if (words === undefined) return null
    let vector = ''
    let position = 0
    for (const word of words) {
      const lexeme = this.#lexemes.get(word)
      if (lexeme === undefined) return null
      position += 1
      vector += lexeme + ':' + position + ' '
    }
    return vector
  }

  /** Remembers what the database made of a text's words. */
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

  #remember(word: string, lexeme: string): void {
    if (this.#lexemes.has(word)) return
    if (this.#lexemes.size >= MAX_REMEMBERED) {
      for (const oldest of this.#lexemes.keys()) {
        this.#lexemes.delete(oldest)
        break
      }
    }
    this.#lexemes.set(alone(word), alone(lexeme))
  }
}

/** A part of a text keeps the whole text in memory. */
function alone(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1')
}

function wordsOf(text: string): readonly string[] | undefined {
  if (OTHER.test(text)) return undefined
  const words = text.match(WORDS) ?? []
  return words.length > MAX_WORDS ? undefined : words
}
