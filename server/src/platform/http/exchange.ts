import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ApiError } from '../../kernel/refusal.ts'
import { gzipParts, acceptsGzip, type ResponsePart } from '../answers/gzip.ts'
import type { PollAnswer } from '../queues/queue.ts'
import type { SessionCookies } from '../request.ts'
import { API_HEADERS, CLIENT_HEADER, GZIP_HEADERS, SAFE_HEADERS, VARY_HEADERS, type Headers } from './headers.ts'
import { renameForApi, type ApiNames } from './names.ts'
import { cookieName, cookieValue, setCookie } from './session-cookie.ts'

export interface Site {
  readonly apiNames: ApiNames
  readonly trustProxy: boolean
  /** Whether clients connect over HTTPS, unless a proxy's header says otherwise. */
  readonly isSecure: boolean
  readonly idPrefix: string
  requests: number
  isClosing: boolean
}

const API_HEADER_LINES = Object.entries(API_HEADERS).flat()

/** Shorter responses fit in three packets; compressing them blocks the event loop longer than sending them. */
const MIN_COMPRESSED_BYTES = 4_096
/** Writing a longer response to the socket all at once would block the event loop: 30 MB takes 60 ms. */
const MAX_BYTES_PER_WRITE = 1024 * 1024
const BYTES_PER_SLICE = 256 * 1024
const TEXTUAL_TYPE_PATTERN = /^text\/|[/+](?:json|xml|javascript)\b/

const REQUEST_ID_HEADER = 'x-request-id'
/** Prevents clients from writing arbitrary text to the log. */
const VALID_REQUEST_ID_PATTERN = /^[\w.:+/=-]{1,128}$/

/** A request and its response. Objects are small, because ten thousand of them can be waiting polls. */
export class Exchange implements PollAnswer, SessionCookies {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly parameters: Readonly<Record<string, string>>
  readonly query: string
  ignored: readonly string[] = []
  /** Undefined before authentication, and for requests without an account. */
  account: string | undefined
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

  /** Request ID from the proxy or, if it sent none, a new ID that is unique across restarts. */
  get id(): string {
    const given = this.request.headers[REQUEST_ID_HEADER]
    return typeof given === 'string' && VALID_REQUEST_ID_PATTERN.test(given)
      ? given
      : `${this.#site.idPrefix}-${this.#number}`
  }

  get method(): string {
    return this.request.method ?? ''
  }

  get path(): string {
    return this.request.url?.split('?', 1)[0] ?? ''
  }

  get host(): string {
    const { headers } = this.request
    const forwarded = this.#site.trustProxy ? lastHeaderValue(headers['x-forwarded-host']) : undefined
    return forwarded ?? headers.host ?? ''
  }

  /** Client address. Behind a trusted proxy, the last `X-Forwarded-For` entry: clients can forge earlier entries. */
  get address(): string {
    const { headers, socket } = this.request
    const forwarded = this.#site.trustProxy ? lastHeaderValue(headers['x-forwarded-for']) : undefined
    return forwarded ?? socket.remoteAddress ?? ''
  }

  /** Whether the client connected over HTTPS, according to the proxy or the server's own URL. */
  get isSecure(): boolean {
    const forwarded = this.#site.trustProxy ? lastHeaderValue(this.request.headers['x-forwarded-proto']) : undefined
    return forwarded === undefined ? this.#site.isSecure : forwarded.toLowerCase() === 'https'
  }

  get names(): ApiNames {
    const { apiNames } = this.#site
    if (apiNames === 'neutral') return apiNames
    const { headers } = this.request
    // Existing clients are not pages of this server and have no session cookie, unlike the web client.
    const isOfPage = headers['sec-fetch-site'] === 'same-origin' || this.session !== undefined
    const asksForNeutral = headers[CLIENT_HEADER] !== undefined || (headers.authorization === undefined && isOfPage)
    return asksForNeutral ? 'neutral' : apiNames
  }

  get userAgent(): string | undefined {
    return this.request.headers['user-agent']
  }

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

  get attempt(): string | undefined {
    const { cookie } = this.request.headers
    return cookie === undefined ? undefined : cookieValue(cookie, cookieName(this.isSecure, 'attempt'))
  }

  giveAttempt(value: string, seconds: number): void {
    this.set({ 'set-cookie': setCookie(this.isSecure, value, seconds, 'attempt') })
  }

  get acceptsGzip(): boolean {
    return acceptsGzip(this.request.headers['accept-encoding'])
  }

  /** Key by which large responses take turns: the account, or the address if there is no account. */
  get asker(): string {
    return this.account ?? `${this.address} ${this.host}`
  }

  set(headers: Headers): void {
    this.#headers = Object.assign(this.#headers ?? {}, headers)
  }

  json(status: number, answer: string): void {
    const body = renameForApi(this.names, answer)
    const bytes = Buffer.byteLength(body)
    if (bytes >= MIN_COMPRESSED_BYTES) void this.jsonParts(status, [{ bytes: Buffer.from(body), isKept: false }])
    else this.#end(status, this.#apiLines(bytes), body, bytes === body.length ? 'latin1' : 'utf8')
  }

  async jsonParts(status: number, parts: readonly ResponsePart[]): Promise<void> {
    const length = parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
    const isLarge = length >= MIN_COMPRESSED_BYTES
    if (isLarge) this.set(VARY_HEADERS)
    if (isLarge && this.acceptsGzip) {
      const bytes = await gzipParts(parts, this.asker)
      this.set(GZIP_HEADERS)
      this.#end(status, this.#apiLines(bytes.length), bytes)
      return
    }
    const { response } = this
    if (response.headersSent) return
    response.writeHead(status, this.#apiLines(length))
    if (length > MAX_BYTES_PER_WRITE) {
      // Buffers cannot fail to be read, so an error means that the client has disconnected, which needs no handling.
      await pipeline(Readable.from(splitIntoSlices(parts), { objectMode: false }), response).catch(() => undefined)
      return
    }
    response.cork()
    for (const { bytes } of parts) response.write(bytes)
    response.end()
  }

  #apiLines(bytes: number): string[] {
    const lines = [...API_HEADER_LINES]
    // Collects header lines in a list: merging header objects for each response took 5% of a send's time.
    if (this.#headers !== undefined) for (const [name, value] of Object.entries(this.#headers)) lines.push(name, value)
    lines.push('content-length', String(bytes), REQUEST_ID_HEADER, this.id)
    return lines
  }

  send(status: number, headers: Headers, body?: string | Buffer): void {
    const bytes = Buffer.byteLength(body ?? '')
    const isText = TEXTUAL_TYPE_PATTERN.test(headers['content-type'] ?? '') && headers['content-encoding'] === undefined
    if (body === undefined || bytes < MIN_COMPRESSED_BYTES || !isText) this.#sendAs(status, headers, body)
    else if (this.acceptsGzip) void this.#sendGzipped(status, headers, Buffer.from(body))
    else this.#sendAs(status, { ...headers, ...VARY_HEADERS }, body)
  }

  async #sendGzipped(status: number, headers: Headers, bytes: Buffer): Promise<void> {
    const body = await gzipParts([{ bytes, isKept: false }], this.asker)
    this.#sendAs(status, { ...headers, ...VARY_HEADERS, ...GZIP_HEADERS }, body)
  }

  #sendAs(status: number, headers: Headers, body: string | Buffer | undefined): void {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const own = { ...SAFE_HEADERS, ...this.#headers, ...headers, ...length, [REQUEST_ID_HEADER]: this.id }
    this.#end(status, Object.entries(own).flat(), body)
  }

  begin(status: number, headers: Headers): void {
    this.response.writeHead(status, { ...this.#headers, ...headers, [REQUEST_ID_HEADER]: this.id })
  }

  async stream(status: number, headers: Headers, body: Readable): Promise<void> {
    await once(body, 'readable')
    this.response.writeHead(status, { ...SAFE_HEADERS, ...this.#headers, ...headers, [REQUEST_ID_HEADER]: this.id })
    try {
      await pipeline(body, this.response)
    } catch (error) {
      if (!isPrematureClose(error)) throw error
    }
  }

  success(fields: string): void {
    this.#endPoll()
    const ignored = this.ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(this.ignored)}` : ''
    this.json(200, `{"result":"success","msg":"",${fields}${ignored}}`)
  }

  refuse(refusal: ApiError): void {
    this.#endPoll()
    this.json(refusal.status, JSON.stringify(refusal.envelope()))
  }

  get isGone(): boolean {
    return this.response.destroyed
  }

  #endPoll(): void {
    if (this.#site.isClosing) this.set({ connection: 'close' })
  }

  /** `lines` alternate between header names and values. */
  #end(status: number, lines: string[], body: string | Buffer | undefined, encoding: BufferEncoding = 'utf8'): void {
    const { response } = this
    if (response.headersSent) return
    response.writeHead(status, lines)
    response.end(body, encoding)
  }
}

function* splitIntoSlices(parts: readonly ResponsePart[]): Generator<Buffer> {
  for (const { bytes } of parts) {
    for (let start = 0; start < bytes.length; start += BYTES_PER_SLICE)
      yield bytes.subarray(start, start + BYTES_PER_SLICE)
  }
}

function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

function lastHeaderValue(header: string | string[] | undefined): string | undefined {
  return String(header ?? '')
    .split(',')
    .map((value) => value.trim())
    .findLast((value) => value !== '')
}
