import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import type * as Library from '@fastify/busboy'
import { Refusal } from '../../kernel/refusal.ts'

const load = createRequire(import.meta.url)

/** Of a body in parts, at once. */
const PIECE_BYTES = 64 * 1024

export type MultipartParser = InstanceType<typeof Library.Busboy>

/** A file in a multipart body, while it arrives. */
export interface FilePart {
  readonly stream: Readable & { truncated?: boolean }
  /** As the client calls it; empty where it does not say. */
  readonly name: string
  /** The media type that the client gives it; empty for none. */
  readonly type: string
}

export interface MultipartOptions {
  /** How many parts a body may have. */
  readonly maxParts: number
  /** A longer file is cut off there, and its stream says so. */
  readonly maxFileBytes?: number
  readonly takeFile: (file: FilePart, refuse: (reason: Error) => void) => void
  /**
   * Gives the parser the body, of which the caller bounds the size.
   * @param isRefused whether the parser found that the body is malformed or has too many parts
   */
  readonly feed: (parser: MultipartParser, refuse: (reason: Error) => void, isRefused: () => boolean) => void
}

/**
 * Takes a multipart body apart.
 * @returns its text fields
 * @throws Refusal BAD_REQUEST for a malformed body or too many parts; what the callbacks refuse with
 */
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
    const parser = parserOf(contentType, {
      fieldSize: Infinity,
      fields: maxParts,
      parts: maxParts,
      fileSize: maxFileBytes,
    })
    const fields: [string, string][] = []
    // A part without a name has none, whatever the parser's types say.
    parser.on('field', (name: string | undefined, value) => {
      if (name === undefined) refuse(malformed())
      else fields.push([name, value])
    })
    parser.on('file', (_field, stream, name: string | undefined, _encoding, type: string | undefined) => {
      takeFile({ stream, name: name ?? '', type: type ?? '' }, refuse)
    })
    parser.on('fieldsLimit', () => refuse(tooMany()))
    parser.on('partsLimit', () => refuse(tooMany()))
    parser.on('error', () => refuse(malformed()))
    parser.on('finish', () => resolve(fields))
    feed(parser, refuse, () => isRefused)
  })
}

/**
 * Takes a multipart body apart that is in memory; a part with a file name is skipped.
 * @throws Refusal as `parseMultipart`
 */
export function parseMultipartFields(
  contentType: string,
  body: Buffer,
  maxParts: number,
): Promise<[name: string, value: string][]> {
  return parseMultipart(contentType, {
    maxParts,
    takeFile({ stream }, refuse) {
      // Of a body that ends inside a file; the parser says so too.
      stream.on('error', () => refuse(malformed()))
      stream.resume()
    },
    feed(parser, _refuse, isRefused) {
      // In pieces, since the parser goes on through thousands of parts that are too many. What is refused has its answer.
      for (let start = 0; start < body.length && !isRefused(); start += PIECE_BYTES) {
        parser.write(body.subarray(start, start + PIECE_BYTES))
      }
      // With the whole body the parser always comes to an end, whatever the bytes are.
      if (!isRefused()) parser.end()
    },
  })
}

/** The library waits for the first multipart body, since it would cost every start 8 ms. */
function parserOf(contentType: string, limits: Library.BusboyConfig['limits']): MultipartParser {
  // The library is loaded at once and not by import(): parts of the body that arrive before the parser listens would
  // be lost.
  const { Busboy } = load('@fastify/busboy') as typeof Library
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits })
  } catch {
    throw malformed()
  }
}

/** The refusal of a body that cannot be parsed. */
export function malformed(): Refusal {
  return new Refusal('BAD_REQUEST', 'Malformed multipart body')
}

/** The refusal of more fields than any request has. */
export function tooMany(): Refusal {
  return new Refusal('BAD_REQUEST', 'The request has too many parameters')
}
