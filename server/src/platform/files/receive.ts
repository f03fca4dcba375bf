import { createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '../../kernel/refusal.ts'
import { makeFolder } from '../folders.ts'
import { malformedBodyError, parseMultipart, type FilePart, type MultipartParser } from './multipart.ts'
import { randomName } from './store.ts'

/** File that is deleted after the response unless the handler stored it. */
export interface ReceivedFile {
  readonly name: string
  readonly type: string
  readonly path: string
  readonly size: number
}

export interface ReceiveOptions {
  readonly folder: string
  readonly maxMebibytes: number
  readonly maxParts: number
  /** Counts bytes received in memory, and returns an error if there are too many. */
  readonly hold: (bytes: number) => ApiError | undefined
}

const MEBIBYTE = 1024 * 1024
/** Age of a file that only a crashed process can have left. */
const ABANDONED_AFTER_MILLISECONDS = 24 * 3_600_000

/** Streams a file to disk. @throws ApiError BAD_REQUEST for a malformed body, a second file, or an oversized file */
export async function receiveMultipart(
  contentType: string,
  body: Readable,
  options: ReceiveOptions,
): Promise<{ fields: [name: string, value: string][]; file: ReceivedFile | undefined }> {
  const writing: Promise<ReceivedFile>[] = []
  try {
    const fields = await parseUpload(contentType, body, options, writing)
    const [file] = await Promise.all(writing)
    return { fields, file }
  } catch (error) {
    body.resume()
    for (const settled of await Promise.allSettled(writing)) {
      if (settled.status === 'fulfilled') await discardFile(settled.value)
    }
    throw error
  }
}

export async function discardFile(file: ReceivedFile): Promise<void> {
  await rm(file.path, { force: true })
}

export async function sweepIncoming(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && Date.now() - found.mtimeMs > ABANDONED_AFTER_MILLISECONDS)
      await rm(path, { force: true })
  }
}

async function parseUpload(
  contentType: string,
  body: Readable,
  options: ReceiveOptions,
  writing: Promise<ReceivedFile>[],
): Promise<[name: string, value: string][]> {
  return parseMultipart(contentType, {
    maxParts: options.maxParts,
    maxFileBytes: options.maxMebibytes * MEBIBYTE,
    takeFile(file, refuse) {
      // Any error that ends the part also makes `writeFile` fail, which is reported below.
      file.stream.on('error', () => undefined)
      if (writing.length > 0) {
        file.stream.resume()
        refuse(new ApiError('BAD_REQUEST', 'You may only upload one file at a time.'))
        return
      }
      const written = writeFile(file, options)
      writing.push(written)
      written.catch((error: unknown) => {
        refuse(error instanceof ApiError || isSystemError(error) ? error : malformedBodyError())
      })
    },
    feed(parser, refuse) {
      body.on('error', () => refuse(new ApiError('BAD_REQUEST', 'The request was interrupted')))
      body.on('aborted', () => {
        // Otherwise, the parser would wait for more data and keep its file open.
        parser.end()
        refuse(new ApiError('BAD_REQUEST', 'The request was interrupted'))
      })
      body.pipe(parser)
      limitMemory(body, parser, options.hold, refuse)
    },
  })
}

function limitMemory(
  body: Readable,
  parser: MultipartParser,
  hold: ReceiveOptions['hold'],
  refuse: (reason: Error) => void,
): void {
  let heldBytes = 0
  let isFileArriving = false
  parser.on('file', (_field, stream) => {
    isFileArriving = true
    stream.on('end', () => (isFileArriving = false))
  })
  const count = (chunk: Buffer): void => {
    if (isFileArriving) return
    heldBytes += chunk.length
    const refusal = hold(heldBytes)
    if (refusal === undefined) return
    refuse(refusal)
    body.off('data', count)
    body.unpipe(parser)
    // Otherwise, a file being written would wait for more data.
    parser.end()
  }
  // This listener runs after the parser's, which by then has found out whether the chunk starts a file.
  body.on('data', count)
}

/** Whether an error comes from the operating system rather than from the sender. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}

async function writeFile({ stream, name, type }: FilePart, options: ReceiveOptions): Promise<ReceivedFile> {
  await makeFolder(options.folder)
  const path = join(options.folder, randomName())
  const target = createWriteStream(path, { mode: 0o600 })
  try {
    await pipeline(stream, target)
    if (stream.truncated === true) {
      const { maxMebibytes } = options
      throw new ApiError('BAD_REQUEST', `Uploaded file is larger than the allowed limit of ${maxMebibytes} MiB`)
    }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return { name, type, path, size: target.bytesWritten }
}
