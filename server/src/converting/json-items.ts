import { isUtf8 } from 'node:buffer'
import { toRecord } from '../platform/moving/carried.ts'
import { hasTooManyValues, parseUntrustedJson, TOO_MANY_VALUES } from '../platform/moving/lines.ts'

/** Mattermost reads lines up to this length. A huge channel's list of members takes several MiB. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

export interface JsonItem {
  /** Name of the list; undefined if the whole text is a list. */
  readonly list: string | undefined
  /** Undefined if the item is too large. */
  readonly text: string | undefined
  readonly isUtf8: boolean
}

/** Reads items of a JSON list, or of all lists in a JSON object, one at a time, because they may not fit in memory. */
export class ItemReader {
  readonly lists = new Set<string>()
  #kind: 'list' | 'object' | undefined
  /** `#level` counts the lists and objects around the current item, and `#depth` those open within it. */
  #level = 0
  #depth = 0
  #isInString = false
  #isEscaped = false
  #list: string | undefined
  #isAfterList = false
  #count = 0
  #total = 0
  #bytes = 0
  #pieces: Buffer[] = []
  #length = 0

  get kind(): 'list' | 'object' | undefined {
    return this.#kind
  }

  /** @throws SyntaxError for invalid JSON; RangeError for too many items */
  *read(chunk: Buffer): Generator<JsonItem> {
    this.#bytes += chunk.length
    let begin = 0
    for (let at = this.#nextMark(chunk, 0); at < chunk.length; at = this.#nextMark(chunk, at + 1)) {
      const mark = chunk[at]
      const isOpening = mark === LIST || mark === OBJECT
      const isAround = this.#level === 0 || (this.#isInObject() && mark === LIST)
      if (isOpening && !isAround) {
        this.#depth = 1
        continue
      }
      this.#keep(chunk.subarray(begin, at))
      begin = at + 1
      if (isOpening) this.#enter(mark)
      else {
        const item = this.#finish(mark)
        if (item !== undefined) yield item
      }
    }
    this.#keep(chunk.subarray(begin))
  }

  end(): void {
    const isBlank = this.#take().text?.trim() === ''
    if (this.#level > 0 || (this.#kind === undefined && isBlank)) throw new SyntaxError('Unexpected end of JSON input')
    if (this.#kind !== undefined && !isBlank) throw new SyntaxError('Unexpected text after the JSON')
  }

  /** Returns the position of the next character that begins or ends an item, or the length of the chunk. */
  #nextMark(chunk: Buffer, from: number): number {
    let depth = this.#depth
    let isInString = this.#isInString
    let isEscaped = this.#isEscaped
    let at = from
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at]
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isInString = false
      } else if (byte === QUOTE) isInString = true
      else if (byte === LIST || byte === OBJECT) {
        if (depth === 0) break
        depth += 1
      } else if (byte === LIST_END || byte === OBJECT_END) {
        if (depth === 0) break
        depth -= 1
      } else if (byte === COMMA && depth === 0) break
    }
    this.#depth = depth
    this.#isInString = isInString
    this.#isEscaped = isEscaped
    return at
  }

  #isInObject(): boolean {
    return this.#kind === 'object' && this.#level === 1
  }

  #enter(mark: number): void {
    const { text } = this.#take()
    if (this.#level === 0) {
      // `trim` also removes a byte order mark, which some editors add.
      if (this.#kind !== undefined || text?.trim() !== '') throw createTokenError(mark)
      this.#kind = mark === LIST ? 'list' : 'object'
    } else {
      if (text === undefined) throw createTokenError(mark)
      const [name = ''] = Object.keys(toRecord(parseUntrustedJson(`{${text}0}`)))
      this.#list = name
      this.lists.add(name)
    }
    this.#level += 1
    this.#count = 0
  }

  #finish(mark: number | undefined): JsonItem | undefined {
    const { text, isUtf8: isText } = this.#take()
    const isInObject = this.#isInObject()
    if (this.#level === 0 || mark === (isInObject ? LIST_END : OBJECT_END)) throw createTokenError(mark)
    const isBlank = text?.trim() === ''
    const isEmpty = isBlank && mark !== COMMA && this.#count === 0
    this.#count += 1
    if (hasTooManyValues((this.#total += 1), this.#bytes)) throw new RangeError(TOO_MANY_VALUES)
    const list = this.#list
    if (isBlank !== (isEmpty || this.#isAfterList)) throw createTokenError(mark)
    if (isInObject && !isBlank && text !== undefined) parseUntrustedJson(`{${text}}`)
    this.#isAfterList = false
    if (mark !== COMMA) this.#leave()
    return isInObject || isEmpty ? undefined : { list, text, isUtf8: isText }
  }

  #leave(): void {
    this.#level -= 1
    this.#isAfterList = this.#level === 1
    this.#list = undefined
  }

  #keep(piece: Buffer): void {
    this.#length += piece.length
    if (this.#length <= MAX_RECORD_BYTES) this.#pieces.push(piece)
    else this.#pieces = []
  }

  #take(): { readonly text: string | undefined; readonly isUtf8: boolean } {
    const [only = Buffer.concat(this.#pieces)] = this.#pieces.length === 1 ? this.#pieces : []
    const bytes = this.#length <= MAX_RECORD_BYTES ? only : undefined
    this.#pieces = []
    this.#length = 0
    return { text: bytes?.toString('utf8'), isUtf8: bytes === undefined || isUtf8(bytes) }
  }
}

function createTokenError(mark: number | undefined): SyntaxError {
  return new SyntaxError(`Unexpected token '${String.fromCharCode(mark ?? 0)}'`)
}
