import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { DamagedBackup } from './damage.ts'
import { FILE_MODE } from './folder.ts'

/** A line of SHA256SUMS. */
export interface Sum {
  readonly sha256: string
  readonly path: string
}

/** The lines of a list of checksums, one after the other: of millions of files it would not fit into memory. */
export async function* readSums(path: string): AsyncGenerator<Sum> {
  let rest = ''
  // A stream with an encoding gives texts.
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield sumIn(line, path)
  }
  if (rest !== '') throw new DamagedBackup(`${path} ends within a line.`)
}

function sumIn(line: string, path: string): Sum {
  const [, sha256, name] = /^([\da-f]{64}) {2}(.+)$/.exec(line) ?? []
  if (sha256 === undefined || name === undefined) throw new DamagedBackup(`A line of ${path} is no checksum.`)
  return { sha256, path: name }
}

/** Finds paths in a list that is sorted, when they are asked for in that order. */
export class SortedSums {
  readonly #lines: AsyncIterator<Sum, unknown>
  #next: Sum | undefined
  #isRead = false

  constructor(lines: AsyncIterator<Sum, unknown>) {
    this.#lines = lines
  }

  /** The first line before a path, or of all that are left. It is taken out. */
  async takeBefore(path: string | undefined): Promise<Sum | undefined> {
    const next = await this.#peek()
    if (next === undefined || (path !== undefined && next.path >= path)) return undefined
    this.#isRead = false
    return next
  }

  /** The checksum of a path, which is taken out with all before it. */
  async take(path: string): Promise<string | undefined> {
    let next = await this.#peek()
    while (next !== undefined && next.path < path) {
      this.#isRead = false
      next = await this.#peek()
    }
    if (next?.path !== path) return undefined
    this.#isRead = false
    return next.sha256
  }

  async #peek(): Promise<Sum | undefined> {
    if (!this.#isRead) {
      const read = await this.#lines.next()
      this.#next = read.done === true ? undefined : read.value
      this.#isRead = true
    }
    return this.#next
  }
}

/** Writes such a list. */
export class SumWriter {
  readonly #stream: WriteStream

  constructor(path: string) {
    this.#stream = createWriteStream(path, { flags: 'wx', mode: FILE_MODE, flush: true })
    // The next write, or the end, fails with it.
    this.#stream.on('error', () => undefined)
  }

  async write({ sha256, path }: Sum): Promise<void> {
    if (this.#stream.errored !== null) throw this.#stream.errored
    if (!this.#stream.write(`${sha256}  ${path}\n`)) await once(this.#stream, 'drain')
  }

  /** Resolves when the list is on disk. */
  async end(): Promise<void> {
    if (this.#stream.errored !== null) throw this.#stream.errored
    this.#stream.end()
    if (!this.#stream.closed) await once(this.#stream, 'close')
  }
}
