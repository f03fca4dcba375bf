import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import type * as Library from '@fastify/busboy'
import { ApiError } from '../../kernel/refusal.ts'

const requireModule = createRequire(import.meta.url)

const CHUNK_BYTES = 64 * 1024

export type MultipartParser = InstanceType<typeof Library.Busboy>

export interface FilePart {
  readonly stream: Readable & { truncated?: boolean }
  readonly name: string
  readonly type: string
}

export interface MultipartOptions {
  readonly maxParts: number
  readonly maxFileBytes?: number
  readonly takeFile: (file: FilePart, refuse: (reason: Error) => void) => void
  /** `isRefused` tells whether the parser found a malformed body or too many parts. */
  readonly feed: (parser: MultipartParser, refuse: (reason: Error) => void, isRefused: () => boolean) => void
}

/** Returns the text fields. @throws ApiError BAD_REQUEST for a malformed body or too many parts */
export function parseMultipart(
  contentType: string,
  { maxParts, maxFileBytes = Infinity, takeFile, feed }: MultipartOptions,
): Promise<[name: string, value: string][]> {
  return new Promise((resolve, reject) => {
    let isRefused = false
    const refuse = (reason: Error): void => {
      isRefused = true
      reject(reason)
    }
    const parser = createMultipartParser(contentType, {
      fieldSize: Infinity,
      fields: maxParts,
      parts: maxParts,
      fileSize: maxFileBytes,
    })
    const fields: [string, string][] = []
    // The parser's types are wrong: the name can be missing.
    parser.on('field', (name: string | undefined, value) => {
      if (name === undefined) refuse(malformedBodyError())
      else fields.push([name, value])
    })
    parser.on('file', (_field, stream, name: string | undefined, _encoding, type: string | undefined) => {
      takeFile({ stream, name: name ?? '', type: type ?? '' }, refuse)
    })
    parser.on('fieldsLimit', () => refuse(tooManyParametersError()))
    parser.on('partsLimit', () => refuse(tooManyParametersError()))
    parser.on('error', () => refuse(malformedBodyError()))
    parser.on('finish', () => resolve(fields))
    feed(parser, refuse, () => isRefused)
  })
}

/** Parses the text fields and skips files. @throws ApiError like `parseMultipart` */
export function parseMultipartFields(
  contentType: string,
  body: Buffer,
  maxParts: number,
): Promise<[name: string, value: string][]> {
  return parseMultipart(contentType, {
    maxParts,
    takeFile({ stream }, refuse) {
      // The stream fails if the body ends within the file.
      stream.on('error', () => refuse(malformedBodyError()))
      stream.resume()
    },
    feed(parser, _refuse, isRefused) {
      // Writes in chunks, to stop after a refusal: the parser would continue through thousands of excess parts.
      for (let start = 0; start < body.length && !isRefused(); start += CHUNK_BYTES) {
        parser.write(body.subarray(start, start + CHUNK_BYTES))
      }
      // The parser always finishes once it has the whole body.
      if (!isRefused()) parser.end()
    },
  })
}

/** Loads the library on first use: it would add 8 ms to every start. */
function createMultipartParser(contentType: string, limits: Library.BusboyConfig['limits']): MultipartParser {
  // With import(), parts of the body that arrive before the parser listens would be lost.
  const { Busboy } = requireModule('@fastify/busboy') as typeof Library
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits })
  } catch {
    throw malformedBodyError()
  }
}

export function malformedBodyError(): ApiError {
  return new ApiError('BAD_REQUEST', 'Malformed multipart body')
}

export function tooManyParametersError(): ApiError {
  return new ApiError('BAD_REQUEST', 'The request has too many parameters')
}
