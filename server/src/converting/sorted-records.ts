import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_MODE } from '../platform/backup/folder.ts'
import { readLines } from '../platform/moving/lines.ts'

/** Characters in memory before a sorted run is written to disk. */
const CHARACTERS_PER_RUN = 16 * 1024 * 1024
const END_OF_KEY = '\t'

interface SortedRun {
  readonly lines: AsyncIterator<string>
  line: string
}

/** Sorts more records than fit in memory, by merging runs on disk. */
export class SortedRecords<Item> {
  readonly #folder: string
  readonly #runs: string[] = []
  #lines: string[] = []
  #characters = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** `key` is compared as text, so numbers need a fixed number of digits. */
  async add(key: string, record: Item): Promise<void> {
    const line = `${key}${END_OF_KEY}${JSON.stringify(record)}`
    this.#lines.push(line)
    this.#characters += line.length
    if (this.#characters >= CHARACTERS_PER_RUN) await this.#store()
  }

  async *inOrder(): AsyncGenerator<Item> {
    const rest = this.#sortedLines()
    const waiting: SortedRun[] = []
    const sources = [...this.#runs.map((path) => readTexts(path)), iterateLines(rest)]
    try {
      for (const source of sources) {
        const first = await source.next()
        if (first.done !== true) insertRun(waiting, { lines: source, line: first.value })
      }
      for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
        // Safe: written by `add`.
        yield JSON.parse(run.line.slice(run.line.indexOf(END_OF_KEY) + 1)) as Item
        const next = await run.lines.next()
        if (next.done !== true) insertRun(waiting, { lines: run.lines, line: next.value })
      }
    } finally {
      for (const source of sources) await source.return(undefined)
    }
  }

  #sortedLines(): string[] {
    const sorted = this.#lines.toSorted((a, b) => (a < b ? -1 : 1))
    this.#lines = []
    this.#characters = 0
    return sorted
  }

  async #store(): Promise<void> {
    const path = join(this.#folder, `run-${this.#runs.length}`)
    const file = await open(path, 'wx', FILE_MODE)
    try {
      let piece = ''
      for (const line of this.#sortedLines()) {
        piece += `${line}\n`
        if (piece.length < 1024 * 1024) continue
        await file.write(piece)
        piece = ''
      }
      await file.write(piece)
    } finally {
      await file.close()
    }
    this.#runs.push(path)
  }
}

function insertRun(waiting: SortedRun[], run: SortedRun): void {
  let [low, high] = [0, waiting.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((waiting[middle]?.line ?? '') < run.line) low = middle + 1
    else high = middle
  }
  waiting.splice(low, 0, run)
}

async function* iterateLines(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

async function* readTexts(path: string): AsyncGenerator<string> {
  for await (const { text } of readLines(path, 0, Infinity)) {
    if (text === undefined) throw new Error(`${path} has a line that was not written there`)
    yield text
  }
}
