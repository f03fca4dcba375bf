import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { chunksOf } from '../platform/chunks.ts'
import { makeFolder } from '../platform/folders.ts'
import { DamagedArchive } from '../platform/backup/reporting.ts'
import { openPlain } from '../platform/moving/lines.ts'
import { isOfSystem, MAX_FILES, refuseLarge, type ExportFile, type OpenedFiles } from './export-file.ts'

const BLOCK = 512
const MAX_SAID_BYTES = 64 * 1024
/** Sparse files would require their list of holes. */
const HOLES = 'it has sparse files'
const FILES_OF_A_FOLDER = 1_000

type LongHeader = Partial<Pick<Header, 'name' | 'size'>>

interface Header {
  readonly name: string
  readonly size: number
  /** `0` for a file; others are folders, links, and metadata of the next file. */
  readonly type: string
}

/**
 * Unpacks, because the archive can only be read sequentially. Names on disk are numbers, so that names in the archive
 * cannot escape the `folder`, which must be empty. Skips links and devices. @throws DamagedArchive
 */
export async function openTar(path: string, folder: string, signal: AbortSignal): Promise<OpenedFiles> {
  const { size: packed } = await stat(path)
  const files = new Map<string, ExportFile>()
  const unpacking = createGunzip()
  const reading = pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), unpacking, { signal })
  reading.catch(() => undefined)
  const source = new Blocks(unpacking)
  let said: LongHeader = {}
  let [unpacked, count, written] = [0, 0, 0]
  try {
    for (let header = await nextHeader(source); header !== undefined; header = await nextHeader(source)) {
      const { type } = header
      const isSaying = type === 'x' || type === 'L'
      const size = isSaying ? header.size : (said.size ?? header.size)
      refuseLarge(path, packed, (unpacked += size + BLOCK))
      if ((count += 1) > MAX_FILES) throw new DamagedArchive(`${path} has more files than any export.`)
      if (isSaying) said = { ...said, ...parseLongHeader(type, await source.said(size)) }
      else {
        const name = said.name ?? header.name
        said = {}
        if (type === '0' || type === '\0') {
          const parent = join(folder, String(Math.floor(written / FILES_OF_A_FOLDER)))
          await makeFolder(parent)
          const target = join(parent, String(written))
          await pipeline(Readable.from(source.bytes(size)), createWriteStream(target, { mode: 0o600 }), { signal })
          written += 1
          const clean = name.replace(/^(\.\/)+/, '')
          files.set(clean, {
            path: clean,
            archive: path,
            size,
            isPathUncertain: clean.includes('\ufffd'),
            open: async () => (await openPlain(target)).createReadStream(),
          })
        } else await source.skip(size)
      }
      await source.skip((BLOCK - (size % BLOCK)) % BLOCK)
    }
    await source.skipAll()
    await reading
  } catch (error) {
    unpacking.destroy()
    if (error instanceof DamagedArchive || signal.aborted || isOfSystem(error)) throw error
    const why = error instanceof Error ? `: ${error.message}` : ''
    throw new DamagedArchive(`${path} is not a readable .tar.gz archive${why}.`, { cause: error })
  }
  return { files, close: () => undefined }
}

/** A block of zeros ends the archive. */
async function nextHeader(source: Blocks): Promise<Header | undefined> {
  const block = await source.block()
  if (block === undefined || block.every((byte) => byte === 0)) return undefined
  const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0)
  if (octal(block, 148, 8) !== sum) throw new Error('a header has the wrong checksum')
  const type = String.fromCharCode(block[156] ?? 0)
  if (type === 'S') throw new Error(HOLES)
  // In the GNU format, this field has other data.
  const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? textAt(block, 345, 155) : ''
  const name = textAt(block, 0, 100)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: octal(block, 124, 12),
    type,
  }
}

function textAt(block: Buffer, start: number, length: number): string {
  const bytes = block.subarray(start, start + length)
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? length : end)
}

/** Reads an octal number, or a binary one if the first bit is set. */
function octal(block: Buffer, start: number, length: number): number {
  const isBinary = ((block[start] ?? 0) & 0x80) !== 0
  const value = isBinary
    ? Number(block.readBigUInt64BE(start + length - 8))
    : Number.parseInt(textAt(block, start, length).trim() || '0', 8)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error('a header field is not a valid number')
  return value
}

/** Reads a single name, or records of `LENGTH KEY=VALUE` with a newline, whose length includes the whole record. */
function parseLongHeader(type: string, bytes: Buffer): LongHeader {
  if (type === 'L') return { name: textAt(bytes, 0, bytes.length) }
  const values = new Map<string, string>()
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(' ', at)
    const equals = bytes.indexOf('=', blank)
    const end = at + Number.parseInt(bytes.toString('latin1', at, blank), 10)
    if (blank < 0 || equals < 0 || !(end > equals) || end > bytes.length)
      throw new Error('a header record is malformed')
    values.set(bytes.toString('utf8', blank + 1, equals), bytes.toString('utf8', equals + 1, end - 1))
    at = end
  }
  if ([...values.keys()].some((key) => key.startsWith('GNU.sparse.'))) throw new Error(HOLES)
  const [name, size] = [values.get('path'), values.get('size')]
  if (size !== undefined && !/^\d{1,15}$/.test(size)) throw new Error('a header field is not a valid number')
  return { ...(name === undefined ? {} : { name }), ...(size === undefined ? {} : { size: Number(size) }) }
}

class Blocks {
  readonly #chunks: AsyncIterator<Buffer, undefined>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#chunks = chunksOf(stream)
  }

  /** Undefined at the end of the stream. */
  async block(): Promise<Buffer | undefined> {
    if (this.#rest.length === 0 && !(await this.#more())) return undefined
    return this.#whole(BLOCK)
  }

  async said(length: number): Promise<Buffer> {
    if (length > MAX_SAID_BYTES) throw new Error('a file name is too long')
    return this.#whole(length)
  }

  async *bytes(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new Error('it ends in the middle of a file')
      const part = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(part.length)
      left -= part.length
      yield part
    }
  }

  async skip(length: number): Promise<void> {
    for await (const part of this.bytes(length)) void part
  }

  /** Reads to the end, where gzip verifies its checksum. */
  async skipAll(): Promise<void> {
    while (await this.#more()) this.#rest = Buffer.alloc(0)
  }

  async #whole(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.bytes(length)) parts.push(part)
    return Buffer.concat(parts)
  }

  async #more(): Promise<boolean> {
    const { value } = await this.#chunks.next()
    if (value === undefined) return false
    this.#rest = value
    return true
  }
}
