import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { isExcessiveJson } from '../../kernel/excessive-json.ts'
import type { RawParameter } from '../../kernel/parameters.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { addressKey } from '../limits/rate.ts'
import { waitingFrom, type WaitingBytes } from './waiting-bytes.ts'
import { parseMultipartFields, tooMany } from '../files/multipart.ts'
import { receiveMultipart, type ReceivedFile } from '../files/receive.ts'
import { endOfTurn } from './turn.ts'

/** Bodies larger than this are refused; the longest message is 10,000 code points, 40 kB. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024
/** Of requests without a login: no endpoint that needs none takes more than a few words. */
export const MAX_OPEN_BODY_BYTES = 64 * 1024
/** What is too large is read to its end up to this much, so that the sender hears why before the connection closes. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024
/** Parsing it takes some milliseconds, and so does checking what it says. */
const LONG_BODY_BYTES = 256 * 1024
/** No endpoint has half as many parameters. */
const MAX_FIELDS = 1_000
/** A body without a file that has not arrived after this long is refused: half a request costs its sender nothing. */
const BODY_MILLISECONDS = 60_000

/** Where files go while they arrive, and how large they may be. */
export interface FileLimits {
  readonly folder: string
  readonly maxMebibytes: Readonly<Record<NonNullable<Endpoint['file']>, number>>
}

/** The rest of the request is not waited for: its connection ends with the answer. */
export class LateBody extends Refusal {
  constructor() {
    super('BAD_REQUEST', 'The request did not arrive in time')
  }
}

/** Others from the same address, or all together, are sending too much that has not arrived as a whole. */
export class TooManyBodies extends Refusal {
  constructor() {
    super('RATE_LIMIT_HIT', 'Too many requests are arriving at once', { 'retry-after': 1 })
  }
}

export type Field = readonly [name: string, value: RawParameter]

/** Whether a request has a body. One that says what its body is has one, of no bytes if need be. */
export function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'HEAD') return false
  if (headers['content-type'] !== undefined || headers['transfer-encoding'] !== undefined) return true
  return (headers['content-length'] ?? '0') !== '0'
}

/**
 * Reads a whole body. Requests whose bodies arrive in the same turn of the event loop go on together: see turn.ts. What
 * arrives more slowly waits in memory, within bounds for each address and for all.
 */
export async function readBody(body: IncomingMessage, address: string, maxBytes: number): Promise<Buffer> {
  let chunks: Buffer[] = []
  let size = 0
  let refuse: (refusal: Refusal) => void = () => undefined
  let waiting: WaitingBytes | undefined
  const take = (chunk: Buffer): void => {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
    else chunks = []
    if (waiting?.hold(chunks.length === 0 ? 0 : size) === false) refuse(new TooManyBodies())
    if (size > MAX_DISCARDED_BYTES) refuse(tooLarge(maxBytes))
  }
  body.on('data', take)
  body.on('error', () => refuse(brokenOff()))
  await endOfTurn()
  // Mostly it came with the request's head.
  if (!body.readableEnded) {
    const held = waitingFrom(addressKey(address))
    waiting = held
    let late: NodeJS.Timeout | undefined
    const rest = new Promise<void>((resolve, reject) => {
      late = setTimeout(() => reject(new LateBody()), BODY_MILLISECONDS)
      refuse = reject
      body.on('end', resolve)
      if (body.destroyed) reject(brokenOff())
      if (!held.hold(chunks.length === 0 ? 0 : size)) reject(new TooManyBodies())
    })
    try {
      await rest
    } catch (refusal) {
      // It may go on arriving.
      body.off('data', take)
      chunks = []
      throw refusal
    } finally {
      clearTimeout(late)
      held.release()
    }
  }
  if (size > maxBytes) throw tooLarge(maxBytes)
  const [first] = chunks
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
}

/** A body that may hold a file, which goes to disk as it arrives. */
export async function formWithFile(
  contentType: string | undefined,
  body: IncomingMessage,
  address: string,
  { folder, maxMebibytes }: FileLimits,
  kind: NonNullable<Endpoint['file']>,
): Promise<{ fields: readonly Field[]; file: ReceivedFile | undefined }> {
  if (mediaTypeOf(contentType) !== 'multipart/form-data') {
    return { fields: await bodyFields(contentType, await readBody(body, address, MAX_BODY_BYTES)), file: undefined }
  }
  const waiting = waitingFrom(addressKey(address))
  const hold = (bytes: number): Refusal | undefined => {
    if (bytes > MAX_BODY_BYTES) return tooLarge(MAX_BODY_BYTES)
    return waiting.hold(bytes) ? undefined : new TooManyBodies()
  }
  const options = { folder, maxMebibytes: maxMebibytes[kind], maxParts: MAX_FIELDS, hold }
  return receiveMultipart(contentType ?? '', body, options).finally(() => waiting.release())
}

/** A body's parameters, by its content type; at once where the parser need not be waited for. */
export function bodyFields(
  contentType: string | undefined,
  body: Buffer,
): readonly Field[] | Promise<readonly Field[]> {
  // A form without fields, which some libraries send without so much as its closing boundary.
  if (body.length === 0) return []
  switch (mediaTypeOf(contentType)) {
    case 'application/x-www-form-urlencoded':
      return inTurn(body, urlencodedFields(spaced(body).toString('utf8')))
    case 'multipart/form-data':
      return parseMultipartFields(contentType ?? '', body, MAX_FIELDS)
    case 'application/json':
      return inTurn(body, jsonFields(body.toString('utf8')))
    default:
      throw new Refusal('BAD_REQUEST', 'Send parameters as a form')
  }
}

/** The fields of a long body are checked in another turn of the event loop than the one in which they were parsed. */
function inTurn(body: Buffer, fields: readonly Field[]): readonly Field[] | Promise<readonly Field[]> {
  return body.length > LONG_BODY_BYTES ? setImmediate(fields) : fields
}

function mediaTypeOf(contentType: string | undefined): string | undefined {
  return contentType?.split(';')[0]?.trim().toLowerCase()
}

const PLUS = 0x2b
const SPACE = 0x20

/** Writes spaces where plus signs stand for them, which in a text of a million takes forty times as long. */
function spaced(body: Buffer): Buffer {
  for (let index = 0; index < body.length; index += 1) if (body[index] === PLUS) body[index] = SPACE
  return body
}

/** The fields of a urlencoded body or query. */
export function urlencodedFields(text: string): Field[] {
  const pieces = text.split('&', MAX_FIELDS + 1)
  if (pieces.length > MAX_FIELDS) throw tooMany()
  if (HAS_CODES.test(text)) return [...new URLSearchParams(text)]
  return pieces.filter((piece) => piece !== '').map(plainField)
}

/** What makes a urlencoded text more than its names and values. The parser skips a `?` at the beginning. */
const HAS_CODES = /[%+]|^\?/

function plainField(piece: string): Field {
  const end = piece.indexOf('=')
  return end === -1 ? [piece, ''] : [piece.slice(0, end), piece.slice(end + 1)]
}

/** A JSON object's members as parameters. */
function jsonFields(body: string): Field[] {
  if (isExcessiveJson(body)) throw new Refusal('REQUEST_VARIABLE_INVALID', 'The request is too large or too deep')
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new Refusal('INVALID_JSON', 'Malformed JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('INVALID_JSON', 'The body must be a JSON object')
  }
  const members = Object.entries<unknown>({ ...value })
  if (members.length > MAX_FIELDS) throw tooMany()
  return members.map(([name, member]) => [name, typeof member === 'string' ? member : { json: member }])
}

function brokenOff(): Refusal {
  return new Refusal('BAD_REQUEST', 'The request broke off')
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal('BAD_REQUEST', `The request is too large (limit: ${maxBytes} bytes)`)
}

/**
 * Reads the rest of a request that is answered already and throws it away, so that its sender can read the answer; a sender
 * that does not come to an end is cut off.
 */
export function dropRest(body: IncomingMessage): void {
  const { socket } = body
  answered.add(socket)
  let size = 0
  const cutOff = setTimeout(() => socket.destroy(), DROP_MILLISECONDS)
  cutOff.unref()
  body.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_DISCARDED_BYTES) socket.destroy()
  })
  body.on('close', () => {
    clearTimeout(cutOff)
    answered.delete(socket)
  })
  body.on('error', () => undefined)
  body.resume()
}

/** Connections whose request is answered and still arriving. */
const answered = new WeakSet<Socket>()

/** Whether what arrives on a connection is the rest of a request that is answered already. */
export function isAnswered(socket: Socket): boolean {
  return answered.has(socket)
}

/** How long the rest of a request may take that is not wanted any more. */
const DROP_MILLISECONDS = 10_000
