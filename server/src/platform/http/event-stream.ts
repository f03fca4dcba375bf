import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../kernel/refusal.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import type { EncodedEvent } from '../queues/buffer.ts'
import type { StreamOutput } from '../queues/stream-output.ts'
import type { Field } from './body.ts'
import type { Exchange } from './exchange.ts'
import { SAFE_HEADERS } from './headers.ts'
import { onWire } from './names.ts'

export const EVENT_STREAM_TYPE = 'text/event-stream'

/** Written at once, and what more than a socket's own bound may wait for the client. The last event in it may go beyond. */
const MAX_WRITTEN_CHARACTERS = 64 * 1024

const HEADERS = {
  ...SAFE_HEADERS,
  'content-type': EVENT_STREAM_TYPE,
  'cache-control': 'no-store',
  // Proxies that collect an answer before they pass it on are told not to.
  'x-accel-buffering': 'no',
  // Its connection is of no use for another request, and would have to be waited for when the server stops.
  connection: 'close',
}

/** An answer of the type `text/event-stream`: each event by its id and as JSON, and what is no event under a name. */
export class EventStream implements StreamOutput {
  readonly #exchange: Exchange
  readonly #report: (error: unknown) => void
  readonly #checkLogin: () => void
  #isEnded = false

  /**
   * @param report logs a fault of the server
   * @param checkLogin throws a refusal when the login of the request no longer holds
   */
  constructor(exchange: Exchange, report: (error: unknown) => void, checkLogin: () => void) {
    this.#exchange = exchange
    this.#report = report
    this.#checkLogin = checkLogin
  }

  /** What it writes first are the fields of a poll's answer but for its events. */
  open(queueId: string, drained: () => void, gone: () => void): void {
    const { response, ignored } = this.#exchange
    // It was answered that it took too long.
    if (response.headersSent) this.#isEnded = true
    else {
      // It ends with its connection, so its pieces need no lengths.
      response.removeHeader('transfer-encoding')
      this.#exchange.begin(200, HEADERS)
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
      text += `id: ${event.id}\ndata: ${onWire(names, event.text)}\n\n`
      last = event.id
      if (text.length >= MAX_WRITTEN_CHARACTERS) break
    }
    this.#send(text)
    return last
  }

  heartbeat(): void {
    this.#send(':\n\n')
  }

  refuse(refusal: Refusal): void {
    this.#send(this.#named('error', refusal.envelope()))
    this.end()
  }

  fail(error: unknown): void {
    if (error instanceof Refusal) {
      this.refuse(error)
      return
    }
    // Its client begins again, and is told then, as far as there is something to tell.
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
    return `event: ${name}\ndata: ${onWire(this.#exchange.names, JSON.stringify(fields))}\n\n`
  }

  #send(text: string): void {
    if (this.isGone) return
    this.#exchange.response.write(text, Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8')
  }
}

/** Whether a request asks for a stream at an endpoint that has one. */
export function asksForStream({ method, headers }: IncomingMessage, { stream }: Endpoint): boolean {
  if (stream === undefined || method !== 'GET') return false
  const accepted = headers.accept?.toLowerCase().split(',') ?? []
  return accepted.some((range) => range.split(';')[0]?.trim() === EVENT_STREAM_TYPE)
}

/** What the header `Last-Event-ID` of a stream says, as the parameter for which it counts. */
export function lastEventField(request: IncomingMessage, endpoint: Endpoint): readonly Field[] {
  const { 'last-event-id': given = '' } = request.headers
  if (typeof given !== 'string' || given === '' || endpoint.stream === undefined) return NO_FIELDS
  return asksForStream(request, endpoint) ? [[endpoint.stream.after, given]] : NO_FIELDS
}

const NO_FIELDS: readonly Field[] = []
