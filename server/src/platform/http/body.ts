import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { Refusal } from '../../kernel/refusal.ts'

/** Form fields larger than this are refused; the longest message is 10,000 code points, 40 kB. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024
const MAX_FIELDS = 200

/** The fields of a urlencoded body; the last of equal names counts. */
export function urlencodedFields(body: string): [string, string][] {
  return [...new URLSearchParams(body)]
}

/** A JSON object's members as parameters: texts as they are, everything else as JSON. */
export function jsonFields(body: string): [string, string][] {
  if (body === '') return []
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new Refusal('INVALID_JSON', 'Malformed JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('INVALID_JSON', 'The body must be a JSON object')
  }
  return Object.entries(value).map(([name, member]) => [
    name,
    typeof member === 'string' ? member : JSON.stringify(member),
  ])
}

/** The text fields of a multipart body. Files are not taken here: a part with a file name is skipped. */
export async function multipartFields(
  headers: IncomingHttpHeaders,
  body: IncomingMessage,
): Promise<[string, string][]> {
  return new Promise((resolve, reject) => {
    const malformed = (): void => {
      body.resume()
      reject(new Refusal('BAD_REQUEST', 'Malformed multipart body'))
    }
    let parser: InstanceType<typeof Busboy>
    try {
      parser = new Busboy({
        // Reached only when the content type says multipart.
        headers: headers as BusboyHeaders,
        limits: { fieldSize: MAX_BODY_BYTES, fields: MAX_FIELDS, parts: MAX_FIELDS },
      })
    } catch {
      malformed()
      return
    }
    const fields: [string, string][] = []
    let size = 0
    parser.on('field', (name, value, nameTruncated, valueTruncated) => {
      size += value.length
      if (nameTruncated || valueTruncated || size > MAX_BODY_BYTES) reject(tooLarge())
      fields.push([name, value])
    })
    parser.on('file', (_name, stream) => stream.resume())
    parser.on('fieldsLimit', () => reject(tooLarge()))
    parser.on('error', malformed)
    parser.on('finish', () => resolve(fields))
    // A body that ends in the middle of a part never finishes the parser.
    body.on('end', () => setImmediate(malformed))
    body.on('error', malformed)
    body.pipe(parser)
  })
}

export function tooLarge(): Refusal {
  return new Refusal('BAD_REQUEST', 'The request is too large')
}
