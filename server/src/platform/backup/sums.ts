import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { DamagedBackup } from './reporting.ts'
import { FILE_MODE } from './folder.ts'

export interface Checksum {
  readonly sha256: string
  readonly path: string
}

/** Reads a list of checksums as a stream, because it can be too large for memory. */
export async function* readSums(path: string): AsyncGenerator<Checksum> {
  let rest = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield parseChecksum(line, path)
  }
  if (rest !== '') throw new DamagedBackup(`${path} ends in the middle of a line.`)
}

function parseChecksum(line: string, path: string): Checksum {
  const [, sha256, name] = /^([\da-f]{64}) {2}(.+)$/.exec(line) ?? []
  if (sha256 === undefined || name === undefined) throw new DamagedBackup(`${path} has a line that is not a checksum.`)
  return { sha256, path: name }
}

/** Sorted checksums, in which paths must be looked up in ascending order. */
export class SortedChecksums {
  readonly #lines: AsyncIterator<Checksum, unknown>
  #next: Checksum | undefined
  #isRead = false

  constructor(lines: AsyncIterator<Checksum, unknown>) {
    this.#lines = lines
  }

  async takeBefore(path: string | undefined): Promise<Checksum | undefined> {
    const next = await this.#peek()
    if (next === undefined || (path !== undefined && next.path >= path)) return undefined
    this.#isRead = false
    return next
  }

  /** Returns a path's checksum, and discards the path and all paths before it. */
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

  async #peek(): Promise<Checksum | undefined> {
    if (!this.#isRead) {
      const read = await this.#lines.next()
      this.#next = read.done === true ? undefined : read.value
      this.#isRead = true
    }
    return this.#next
  }
}

export class ChecksumWriter {
  readonly #stream: WriteStream

  constructor(path: string) {
    this.#stream = createWriteStream(path, { flags: 'wx', mode: FILE_MODE, flush: true })
    this.#stream.on('error', () => undefined)
  }

  async write({ sha256, path }: Checksum): Promise<void> {
    if (this.#stream.errored !== null) throw this.#stream.errored
    if (!this.#stream.write(`${sha256}  ${path}\n`)) await once(this.#stream, 'drain')
  }

  async end(): Promise<void> {
    if (this.#stream.errored !== null) throw this.#stream.errored
    this.#stream.end()
    if (!this.#stream.closed) await once(this.#stream, 'close')
  }
}
