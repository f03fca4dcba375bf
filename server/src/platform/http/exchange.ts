import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Refusal } from '../../kernel/refusal.ts'
import { gzipParts, takesGzip, type Part } from '../answers/gzip.ts'
import type { PollAnswer } from '../queues/queue.ts'
import type { SessionCookies } from '../request.ts'
import { API_HEADERS, CLIENT_HEADER, GZIP, SAFE_HEADERS, VARY, type Headers } from './headers.ts'
import { onWire, type ApiNames } from './names.ts'
import { cookieName, cookieValue, setCookie } from './session-cookie.ts'

/** What all exchanges of a server share. */
export interface Site {
  readonly apiNames: ApiNames
  readonly trustProxy: boolean
  /** Whether clients reach the server encrypted, where no proxy says it of a request. */
  readonly isSecure: boolean
  /** Tells requests of this process from those of others. */
  readonly idPrefix: string
  /** How many requests there were. */
  requests: number
  /** Whether the server is stopping. */
  isClosing: boolean
}

const API_LINES = Object.entries(API_HEADERS).flat()

/** Shorter answers leave in three packets: compressing them takes the event loop longer than it takes to send them. */
const MIN_COMPRESSED_BYTES = 4_096
/** Types that compress well. Pictures and the like are compressed already. */
const TEXTUAL = /^text\/|[/+](?:json|xml|javascript)\b/

/** Tells the request apart for those who run what stands in front of the server, too. */
const ID_HEADER = 'x-request-id'
/** What a proxy may say that it is; anything else would be put into the log by who asks. */
const GIVEN_ID = /^[\w.:+/=-]{1,128}$/

/** One request and its answer. Ten thousand wait as polls, so it is small. */
export class Exchange implements PollAnswer, SessionCookies {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** What the route's path leaves open, decoded; the rest is called `*`. */
  readonly parameters: Readonly<Record<string, string>>
  /** The text behind the path. */
  readonly query: string
  /** Parameters that the endpoint does not have, as the request spells them. */
  ignored: readonly string[] = []
  /** The account that asks, once it is known. */
  askerId: number | undefined
  readonly #site: Site
  readonly #number: number
  #headers: Record<string, string> | undefined

  constructor(
    site: Site,
    request: IncomingMessage,
    response: ServerResponse,
    parameters: Exchange['parameters'] = {},
    query = '',
  ) {
    this.#site = site
    site.requests += 1
    this.#number = site.requests
    this.request = request
    this.response = response
    this.parameters = parameters
    this.query = query
  }

  /** Tells the request apart in the log, across restarts: as it came with the request, or else our own. */
  get id(): string {
    const given = this.request.headers[ID_HEADER]
    return typeof given === 'string' && GIVEN_ID.test(given) ? given : `${this.#site.idPrefix}-${this.#number}`
  }

  get method(): string {
    return this.request.method ?? ''
  }

  /** As it came, without the query. */
  get path(): string {
    return this.request.url?.split('?', 1)[0] ?? ''
  }

  /** The name that the client asks for; with a proxy in front, the one that the proxy was asked for. */
  get host(): string {
    const { headers } = this.request
    const forwarded = this.#site.trustProxy ? lastOf(headers['x-forwarded-host']) : undefined
    return forwarded ?? headers.host ?? ''
  }

  /** Where the request comes from: by the proxy in front and no other, since clients put anything into the header. */
  get address(): string {
    const { headers, socket } = this.request
    const forwarded = this.#site.trustProxy ? lastOf(headers['x-forwarded-for']) : undefined
    return forwarded ?? socket.remoteAddress ?? ''
  }

  /** Whether the client reaches the server encrypted: by what the proxy in front says, or by the server's own address. */
  get isSecure(): boolean {
    const forwarded = this.#site.trustProxy ? lastOf(this.request.headers['x-forwarded-proto']) : undefined
    return forwarded === undefined ? this.#site.isSecure : forwarded.toLowerCase() === 'https'
  }

  /** The words of the answer. */
  get names(): ApiNames {
    const { apiNames } = this.#site
    if (apiNames === 'neutral') return apiNames
    const { headers } = this.request
    // Existing clients are no pages of this server, and have no cookie of it: only the web client has.
    const isOfPage = headers['sec-fetch-site'] === 'same-origin' || this.session !== undefined
    const asksForNeutral = headers[CLIENT_HEADER] !== undefined || (headers.authorization === undefined && isOfPage)
    return asksForNeutral ? 'neutral' : apiNames
  }

  get userAgent(): string | undefined {
    return this.request.headers['user-agent']
  }

  /** The value of the cookie of a session; undefined where there is none. */
  get session(): string | undefined {
    const { cookie } = this.request.headers
    return cookie === undefined ? undefined : cookieValue(cookie, cookieName(this.isSecure))
  }

  giveSession(value: string, seconds: number): void {
    this.set({ 'set-cookie': setCookie(this.isSecure, value, seconds) })
  }

  dropSession(): void {
    this.giveSession('', 0)
  }

  /** The value of the cookie of an attempt to sign in; undefined where there is none. */
  get attempt(): string | undefined {
    const { cookie } = this.request.headers
    return cookie === undefined ? undefined : cookieValue(cookie, cookieName(this.isSecure, 'attempt'))
  }

  giveAttempt(value: string, seconds: number): void {
    this.set({ 'set-cookie': setCookie(this.isSecure, value, seconds, 'attempt') })
  }

  /** Whether the client can read a compressed answer. */
  get takesGzip(): boolean {
    return takesGzip(this.request.headers['accept-encoding'])
  }

  /** By which large answers take turns: the account that asks, or the address of a client without one. */
  get asker(): string {
    return `${this.askerId ?? this.address} ${this.host}`
  }

  /** Sets headers of whatever the answer will be, a refusal too, beside those that all answers have. */
  set(headers: Headers): void {
    this.#headers = Object.assign(this.#headers ?? {}, headers)
  }

  /** Answers with a JSON object of the API. */
  json(status: number, answer: string): void {
    const body = onWire(this.names, answer)
    const bytes = Buffer.byteLength(body)
    if (bytes >= MIN_COMPRESSED_BYTES) void this.jsonParts(status, [{ bytes: Buffer.from(body), isKept: false }])
    else this.#end(status, this.#apiLines(bytes), body, bytes === body.length ? 'latin1' : 'utf8')
  }

  /** Answers with a JSON object of the API, in parts that are in the words that clients expect already. */
  async jsonParts(status: number, parts: readonly Part[]): Promise<void> {
    const length = parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
    const isLarge = length >= MIN_COMPRESSED_BYTES
    if (isLarge) this.set(VARY)
    if (isLarge && this.takesGzip) {
      const bytes = await gzipParts(parts, this.asker)
      this.set(GZIP)
      this.#end(status, this.#apiLines(bytes.length), bytes)
      return
    }
    const { response } = this
    if (response.headersSent) return
    // It may be very long and is never in memory as a whole.
    response.writeHead(status, this.#apiLines(length))
    response.cork()
    for (const { bytes } of parts) response.write(bytes)
    response.end()
  }

  #apiLines(bytes: number): string[] {
    const lines = [...API_LINES]
    // Each answer has some, and joining objects and taking them apart again was a twentieth of what a send costs.
    if (this.#headers !== undefined) for (const [name, value] of Object.entries(this.#headers)) lines.push(name, value)
    lines.push('content-length', String(bytes), ID_HEADER, this.id)
    return lines
  }

  /** Answers with a body of the type that the headers tell, or with headers alone. */
  send(status: number, headers: Headers, body?: string | Buffer): void {
    const bytes = Buffer.byteLength(body ?? '')
    const isText = TEXTUAL.test(headers['content-type'] ?? '') && headers['content-encoding'] === undefined
    if (body === undefined || bytes < MIN_COMPRESSED_BYTES || !isText) this.#sendAs(status, headers, body)
    else if (this.takesGzip) void this.#sendGzipped(status, headers, Buffer.from(body))
    else this.#sendAs(status, { ...headers, ...VARY }, body)
  }

  async #sendGzipped(status: number, headers: Headers, bytes: Buffer): Promise<void> {
    const body = await gzipParts([{ bytes, isKept: false }], this.asker)
    this.#sendAs(status, { ...headers, ...VARY, ...GZIP }, body)
  }

  #sendAs(status: number, headers: Headers, body: string | Buffer | undefined): void {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const own = { ...SAFE_HEADERS, ...this.#headers, ...headers, ...length, [ID_HEADER]: this.id }
    this.#end(status, Object.entries(own).flat(), body)
  }

  /** Begins an answer. The caller writes its body afterwards, piece by piece. */
  begin(status: number, headers: Headers): void {
    this.response.writeHead(status, { ...this.#headers, ...headers, [ID_HEADER]: this.id })
  }

  /** Answers with what a stream gives, whose length the headers tell. */
  async stream(status: number, headers: Headers, body: Readable): Promise<void> {
    // What cannot even be opened is told like any other failure, without these headers.
    await once(body, 'readable')
    this.response.writeHead(status, { ...SAFE_HEADERS, ...this.#headers, ...headers, [ID_HEADER]: this.id })
    try {
      await pipeline(body, this.response)
    } catch (error) {
      // Of a client that has gone, there is nothing to say.
      if (!isPrematureClose(error)) throw error
    }
  }

  /** Answers a poll with a success envelope around already encoded fields. */
  success(fields: string): void {
    this.#endPoll()
    const ignored = this.ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(this.ignored)}` : ''
    this.json(200, `{"result":"success","msg":"",${fields}${ignored}}`)
  }

  refuse(refusal: Refusal): void {
    this.#endPoll()
    this.json(refusal.status, JSON.stringify(refusal.envelope()))
  }

  get isGone(): boolean {
    return this.response.destroyed
  }

  /** A poll that is answered because the server stops leaves no connection that would have to be waited for. */
  #endPoll(): void {
    if (this.#site.isClosing) this.set({ connection: 'close' })
  }

  /**
   * @param lines names and values in turn, which costs Node least
   * @param encoding of a text; nothing but ASCII is the same in both, and Node need not look for more if it is told Latin-1
   */
  #end(status: number, lines: string[], body: string | Buffer | undefined, encoding: BufferEncoding = 'utf8'): void {
    const { response } = this
    if (response.headersSent) return
    response.writeHead(status, lines)
    // Node sends no body to HEAD.
    response.end(body, encoding)
  }
}

function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** The last of a header's values. Empty ones say nothing. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return String(header ?? '')
    .split(',')
    .map((value) => value.trim())
    .findLast((value) => value !== '')
}
