import { createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../../kernel/refusal.ts'
import { makeFolder } from '../folders.ts'
import { malformed, parseMultipart, type FilePart, type MultipartParser } from './multipart.ts'
import { randomName } from './store.ts'

/** A file that came with a request. It is gone after the answer, unless the handler gave it to the store. */
export interface ReceivedFile {
  /** As the client calls it, whatever that is. */
  readonly name: string
  /** The media type that the client gives it; empty for none. */
  readonly type: string
  /** The path of the received bytes. */
  readonly path: string
  readonly size: number
}

export interface ReceiveOptions {
  readonly folder: string
  readonly maxMebibytes: number
  readonly maxParts: number
  /** Is told how much of the body, which is all but files, waits in memory. @returns why that is too much */
  readonly hold: (bytes: number) => Refusal | undefined
}

const MEBIBYTE = 1024 * 1024
/** Files that clients left behind by breaking off while the process crashed are removed after this long. */
const ABANDONED_MILLISECONDS = 24 * 3_600_000

/**
 * Reads a multipart body with at most one file, which goes to disk as it arrives.
 * @throws Refusal BAD_REQUEST for a malformed body, a second file or one that is too large; then nothing stays on disk
 */
export async function receiveMultipart(
  contentType: string,
  body: Readable,
  options: ReceiveOptions,
): Promise<{ fields: [name: string, value: string][]; file: ReceivedFile | undefined }> {
  const writing: Promise<ReceivedFile>[] = []
  try {
    const fields = await parse(contentType, body, options, writing)
    const [file] = await Promise.all(writing)
    return { fields, file }
  } catch (error) {
    // The rest of the body is read and thrown away, so that its sender hears why.
    body.resume()
    for (const settled of await Promise.allSettled(writing)) {
      if (settled.status === 'fulfilled') await discard(settled.value)
    }
    throw error
  }
}

/** Removes a received file that was not taken over. */
export async function discard(file: ReceivedFile): Promise<void> {
  await rm(file.path, { force: true })
}

/** Removes the files that a process left behind which ended while it received them. */
export async function sweepIncoming(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MILLISECONDS) await rm(path, { force: true })
  }
}

async function parse(
  contentType: string,
  body: Readable,
  options: ReceiveOptions,
  writing: Promise<ReceivedFile>[],
): Promise<[name: string, value: string][]> {
  return parseMultipart(contentType, {
    maxParts: options.maxParts,
    maxFileBytes: options.maxMebibytes * MEBIBYTE,
    takeFile(file, refuse) {
      // Whatever ends the part in its middle ends the writing of it, which says why.
      file.stream.on('error', () => undefined)
      if (writing.length > 0) {
        file.stream.resume()
        refuse(new Refusal('BAD_REQUEST', 'You may only upload one file at a time.'))
        return
      }
      const written = write(file, options)
      writing.push(written)
      written.catch((error: unknown) => {
        refuse(error instanceof Refusal || isOfSystem(error) ? error : malformed())
      })
    },
    feed(parser, refuse) {
      body.on('error', () => refuse(new Refusal('BAD_REQUEST', 'The request broke off')))
      body.on('aborted', () => {
        // A stream that waits for more would keep its file for ever.
        parser.end()
        refuse(new Refusal('BAD_REQUEST', 'The request broke off'))
      })
      body.pipe(parser)
      boundMemory(body, parser, options.hold, refuse)
    },
  })
}

/** Ends a body of which more waits in memory than may. Files go to disk as they arrive. */
function boundMemory(
  body: Readable,
  parser: MultipartParser,
  hold: ReceiveOptions['hold'],
  refuse: (reason: Error) => void,
): void {
  let held = 0
  let isFileArriving = false
  parser.on('file', (_field, stream) => {
    isFileArriving = true
    stream.on('end', () => (isFileArriving = false))
  })
  const count = (chunk: Buffer): void => {
    if (isFileArriving) return
    held += chunk.length
    const refusal = hold(held)
    if (refusal === undefined) return
    refuse(refusal)
    body.off('data', count)
    body.unpipe(parser)
    // Otherwise a file that is being written would wait for more.
    parser.end()
  }
  // After the parser, which has seen by then whether a file begins in it.
  body.on('data', count)
}

/** Whether the system refused to write, and the sender is not to blame. */
function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}

async function write({ stream, name, type }: FilePart, options: ReceiveOptions): Promise<ReceivedFile> {
  await makeFolder(options.folder)
  const path = join(options.folder, randomName())
  const target = createWriteStream(path, { mode: 0o600 })
  try {
    await pipeline(stream, target)
    if (stream.truncated === true) {
      const { maxMebibytes } = options
      throw new Refusal('BAD_REQUEST', `Uploaded file is larger than the allowed limit of ${maxMebibytes} MiB`)
    }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return { name, type, path, size: target.bytesWritten }
}
