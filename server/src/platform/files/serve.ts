import type { IncomingHttpHeaders } from 'node:http'
import contentDisposition from 'content-disposition'
import parseRange from 'range-parser'
import type { Actor } from '../../kernel/actor.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { Exchange } from '../http/exchange.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { isMissingFile, type ByteRange, type FileStore } from './store.ts'

export interface FileRoute {
  readonly path: string
  readonly login: 'required' | 'optional' | 'none'
  /** Accepts API tokens, except those limited to channels. */
  readonly forTokens?: 'reading'
  /** Also answers spectators of organizations with web-public channels. */
  readonly forSpectators?: true
  /** Returns undefined if the client cannot see the file. */
  readonly find: (call: FileCall) => Promise<FoundFile | undefined>
}

export interface FileCall {
  readonly log: OrganizationLog
  readonly reads: Db
  readonly actor: Actor | undefined
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

export type FoundFile = StoredFile | { readonly elsewhere: string } | GeneratedFile

export interface StoredFile {
  readonly key: string
  readonly type: string
  readonly name: string
  /** Whether browsers display the file instead of saving it. */
  readonly inline: boolean
  readonly keep: CachePolicy
}

export interface GeneratedFile {
  readonly bytes: Buffer
  readonly type: string
  readonly keep: CachePolicy
}

/** With `ask`, browsers revalidate each time, because permissions can change. */
type CachePolicy = 'always' | 'day' | 'ask'

const CACHE_CONTROL: Readonly<Record<CachePolicy, string>> = {
  always: 'public, max-age=31536000, immutable',
  day: 'public, max-age=86400',
  ask: 'private, no-cache',
}

/** Keeps uploads from running scripts, loading external resources, and being framed. */
const UPLOAD_POLICY =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

export async function sendFile(store: FileStore, exchange: Exchange, found: FoundFile): Promise<void> {
  if ('elsewhere' in found) {
    return exchange.send(302, { 'cache-control': CACHE_CONTROL.ask, location: found.elsewhere }, '')
  }
  const kept = { 'content-type': found.type, 'cache-control': CACHE_CONTROL[found.keep] }
  if ('bytes' in found) return exchange.send(200, kept, found.bytes)

  const size = await store.size(found.key)
  if (size === undefined) throw new ApiError('NOT_FOUND', 'No such endpoint or file')
  const etag = `"${found.key.slice(found.key.lastIndexOf('/') + 1)}"`
  const headers = {
    ...kept,
    etag,
    'accept-ranges': 'bytes',
    'content-disposition': contentDisposition(found.name, { type: found.inline ? 'inline' : 'attachment' }),
    'content-security-policy': UPLOAD_POLICY,
  }
  const asked = exchange.request.headers
  if (asked['if-none-match']?.includes(etag) === true) return exchange.send(304, headers)
  const range = requestedRange(asked, size, etag)
  if (range === 'unsatisfiable') return exchange.send(416, { ...headers, 'content-range': `bytes */${size}` }, '')
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const part = {
    ...headers,
    'content-length': String(end - start + 1),
    ...(range === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
  }
  const status = range === undefined ? 200 : 206
  if (exchange.method === 'HEAD') return exchange.send(status, part)
  return exchange.stream(status, part, store.read(found.key, range)).catch((error: unknown) => {
    throw isMissingFile(error) ? new ApiError('NOT_FOUND', 'No such endpoint or file') : error
  })
}

function requestedRange(
  headers: IncomingHttpHeaders,
  size: number,
  etag: string,
): ByteRange | 'unsatisfiable' | undefined {
  const condition = headers['if-range']
  if (headers.range === undefined || (condition !== undefined && condition !== etag)) return undefined
  const ranges = parseRange(size, headers.range)
  if (ranges === -1) return 'unsatisfiable'
  const [first, second] = ranges === -2 || ranges.type !== 'bytes' ? [] : ranges
  return first === undefined || second !== undefined ? undefined : { start: first.start, end: first.end }
}
