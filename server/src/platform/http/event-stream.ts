import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../kernel/refusal.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import type { EncodedEvent } from '../queues/buffer.ts'
import type { StreamOutput } from '../queues/stream.ts'
import type { Field } from './body.ts'
import type { Exchange } from './exchange.ts'
import { SAFE_HEADERS } from './headers.ts'
import { renameForApi } from './names.ts'

export const EVENT_STREAM_TYPE = 'text/event-stream'

/** Limit on one write, and on the data that waits beyond the socket's own limit. */
const MAX_WRITTEN_CHARACTERS = 64 * 1024

const STREAM_HEADERS = {
  ...SAFE_HEADERS,
  'content-type': EVENT_STREAM_TYPE,
  'cache-control': 'no-store',
  // Tells proxies not to buffer the response.
  'x-accel-buffering': 'no',
  // Keep-alive would be useless for a stream and would delay shutdown.
  connection: 'close',
}

/** Sends log events as JSON with their IDs, and other data as named server-sent events. */
export class EventStream implements StreamOutput {
  readonly #exchange: Exchange
  readonly #report: (error: unknown) => void
  readonly #checkLogin: () => void
  #isEnded = false

  constructor(exchange: Exchange, report: (error: unknown) => void, checkLogin: () => void) {
    this.#exchange = exchange
    this.#report = report
    this.#checkLogin = checkLogin
  }

  open(queueId: string, drained: () => void, gone: () => void): void {
    const { response, ignored } = this.#exchange
    // The request exceeded its deadline and already has a response.
    if (response.headersSent) this.#isEnded = true
    else {
      // The stream ends with its connection, so chunks need no lengths.
      response.removeHeader('transfer-encoding')
      this.#exchange.begin(200, STREAM_HEADERS)
    }
    response.on('drain', drained)
    response.on('close', gone)
    const named = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {}
    this.#send(this.#named('queue', { result: 'success', msg: '', queue_id: queueId, ...named }))
  }

  write(events: readonly EncodedEvent[]): number {
    const { names } = this.#exchange
    let text = ''
    let last = -1
    for (const event of events) {
      text += `id: ${event.id}\ndata: ${renameForApi(names, event.text)}\n\n`
      last = event.id
      if (text.length >= MAX_WRITTEN_CHARACTERS) break
    }
    this.#send(text)
    return last
  }

  heartbeat(): void {
    this.#send(':\n\n')
  }

  refuse(refusal: ApiError): void {
    this.#send(this.#named('error', refusal.envelope()))
    this.end()
  }

  fail(error: unknown): void {
    if (error instanceof ApiError) {
      this.refuse(error)
      return
    }
    // The client reconnects. If the error happens again, the client then receives it as a response.
    this.#report(error)
    this.end()
  }

  end(): void {
    if (this.isGone) return
    this.#isEnded = true
    this.#exchange.response.end()
  }

  cut(): void {
    this.#isEnded = true
    this.#exchange.response.destroy()
  }

  get isFull(): boolean {
    return this.#exchange.response.writableNeedDrain
  }

  get isGone(): boolean {
    return this.#isEnded || this.#exchange.isGone
  }

  checkLogin(): void {
    this.#checkLogin()
  }

  #named(name: string, fields: object): string {
    return `event: ${name}\ndata: ${renameForApi(this.#exchange.names, JSON.stringify(fields))}\n\n`
  }

  #send(text: string): void {
    if (this.isGone) return
    this.#exchange.response.write(text, Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8')
  }
}

export function asksForStream({ method, headers }: IncomingMessage, { stream }: Endpoint): boolean {
  if (stream === undefined || method !== 'GET') return false
  const accepted = headers.accept?.toLowerCase().split(',') ?? []
  return accepted.some((range) => range.split(';')[0]?.trim() === EVENT_STREAM_TYPE)
}

export function lastEventField(request: IncomingMessage, endpoint: Endpoint): readonly Field[] {
  const { 'last-event-id': given = '' } = request.headers
  if (typeof given !== 'string' || given === '' || endpoint.stream === undefined) return NO_FIELDS
  return asksForStream(request, endpoint) ? [[endpoint.stream.after, given]] : NO_FIELDS
}

const NO_FIELDS: readonly Field[] = []
