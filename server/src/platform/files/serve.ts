import contentDisposition from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import type { Actor } from '../../kernel/actor.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import type { ByteRange, FileStore } from './store.ts'

/** An address at which files are served. */
export interface FileRoute {
  /** The router's pattern. */
  readonly path: string
  /** Whether who asks must say so, may, or is not asked. */
  readonly login: 'required' | 'optional' | 'none'
  /** Undefined for what is not there, and just so for what may not be seen. */
  readonly find: (call: FileCall) => Promise<FoundFile | undefined>
}

export interface FileCall {
  readonly log: OrganizationLog
  readonly reads: Db
  readonly actor: Actor | undefined
  /** What the route's path leaves open; the rest is called `*`. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

export type FoundFile = StoredFile | { readonly elsewhere: string } | DrawnFile

export interface StoredFile {
  readonly key: string
  readonly type: string
  /** How it is called when it is saved. */
  readonly name: string
  /** Whether a browser may show it; otherwise it saves it. */
  readonly inline: boolean
  readonly keep: Keep
}

/** What is made anew for each request. */
export interface DrawnFile {
  readonly text: string
  readonly type: string
  readonly keep: Keep
}

/** How long a copy is good: `always`, for a `day`, or never without asking, because rights change. */
type Keep = 'always' | 'day' | 'ask'

const CACHE_CONTROL: Readonly<Record<Keep, string>> = {
  always: 'public, max-age=31536000, immutable',
  day: 'public, max-age=86400',
  ask: 'private, no-cache',
}

/**
 * Whatever people upload: nothing in it runs, loads from elsewhere or is framed. A picture or a film shown by itself
 * loads its own address and the style that the browser gives it.
 */
const UPLOAD_POLICY =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Answers with a file, or with the part of it that was asked for. */
export async function sendFile(
  store: FileStore,
  request: FastifyRequest,
  reply: FastifyReply,
  found: FoundFile,
): Promise<FastifyReply> {
  if ('elsewhere' in found) return reply.header('cache-control', CACHE_CONTROL.ask).redirect(found.elsewhere)
  void reply.headers({ 'content-type': found.type, 'cache-control': CACHE_CONTROL[found.keep] })
  if ('text' in found) return reply.send(found.text)

  const size = await store.size(found.key)
  if (size === undefined) throw new Refusal('NOT_FOUND', 'There is nothing at this address')
  const etag = `"${found.key.slice(found.key.lastIndexOf('/') + 1)}"`
  void reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'content-disposition': contentDisposition(found.name, { type: found.inline ? 'inline' : 'attachment' }),
    'content-security-policy': UPLOAD_POLICY,
  })
  if (request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).send()
  const range = rangeOf(request, size, etag)
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${size}`).send()
  }
  if (range !== undefined) {
    void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  }
  void reply.header('content-length', range === undefined ? size : range.end - range.start + 1)
  return request.method === 'HEAD' ? reply.send() : reply.send(store.read(found.key, range))
}

/** The one part that a request asks for; who asks for several gets everything. */
function rangeOf({ headers }: FastifyRequest, size: number, etag: string): ByteRange | 'unsatisfiable' | undefined {
  const condition = headers['if-range']
  if (headers.range === undefined || (condition !== undefined && condition !== etag)) return undefined
  const ranges = parseRange(size, headers.range)
  if (ranges === -1) return 'unsatisfiable'
  const [first, second] = ranges === -2 || ranges.type !== 'bytes' ? [] : ranges
  return first === undefined || second !== undefined ? undefined : { start: first.start, end: first.end }
}
