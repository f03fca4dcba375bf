import { randomInt } from 'node:crypto'

/** A power of two, and twice as many as words are remembered. */
const SLOTS = 65_536
/** The limit holds for texts that were made so that the search for all their words begins at the same slot. */
const MAX_PROBES = 12
/** The multiplier of FNV-1a. */
const PRIME = 16_777_619

interface Entry<Value> {
  readonly word: string
  readonly value: Value
}

/**
 * A map from words of ASCII letters and digits to values, in which words are found where they stand in a text: taking
 * each word out of the text to ask a `Map` took twice as long. A word whose slots are taken is not remembered.
 */
export class WordTable<Value> {
  #slots: (Entry<Value> | undefined)[] = []
  readonly #seed = randomInt(2 ** 31)
  #size = 0

  get size(): number {
    return this.#size
  }

  clear(): void {
    this.#slots = []
    this.#size = 0
  }

  /** The value of the word that stands in a text from `start` to `end`. */
  get(text: string, start = 0, end = text.length): Value | undefined {
    let slot = this.#firstSlot(text, start, end)
    for (let probe = 0; probe < MAX_PROBES; probe += 1) {
      const entry = this.#slots[slot]
      if (entry === undefined) return undefined
      if (standsAt(entry.word, text, start, end)) return entry.value
      slot = (slot + 1) % SLOTS
    }
    return undefined
  }

  /** @param word that is not there yet */
  add(word: string, value: Value): void {
    if (this.#slots.length === 0) this.#slots = Array.from({ length: SLOTS })
    let slot = this.#firstSlot(word, 0, word.length)
    for (let probe = 0; probe < MAX_PROBES; probe += 1) {
      if (this.#slots[slot] === undefined) {
        this.#slots[slot] = { word, value }
        this.#size += 1
        return
      }
      slot = (slot + 1) % SLOTS
    }
  }

  #firstSlot(text: string, start: number, end: number): number {
    let hash = this.#seed
    for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), PRIME)
    return (hash ^ (hash >>> 16)) & (SLOTS - 1)
  }
}

function standsAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false
  for (let index = 0; index < word.length; index += 1) {
    if (word.charCodeAt(index) !== text.charCodeAt(start + index)) return false
  }
  return true
}
