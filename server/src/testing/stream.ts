import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { checkAnswer } from './contract-check.ts'
import { parseObject } from './json.ts'
import { basic, idAfter, isFromProxy, type Body, type Parameters, type TestUser } from './user.ts'

export class TestStream {
  readonly #sent: ClientRequest
  #response: IncomingMessage | undefined
  #left = ''
  #last = -1
  #changed: () => void = () => undefined
  readonly events: Body[] = []
  /** Stream messages with a name, such as `queue` and `error`. */
  readonly named: { readonly name: string; readonly data: Body }[] = []
  comments = 0
  lastEventId: string | undefined
  isOver = false
  body: Body | undefined

  constructor(url: string, headers: Record<string, string>) {
    this.#sent = request(url, { headers, agent: false })
    this.#sent.on('error', () => this.#finish())
    this.#sent.on('response', (response: IncomingMessage) => this.#begin(response))
    this.#sent.end()
  }

  get status(): number {
    return this.#response?.statusCode ?? 0
  }

  get headers(): IncomingHttpHeaders {
    return this.#response?.headers ?? {}
  }

  async until(holds: (stream: TestStream) => boolean): Promise<this> {
    while (!holds(this)) {
      if (this.isOver) throw new Error(`the stream ended: ${JSON.stringify([this.status, this.body, this.named])}`)
      await this.#change()
    }
    return this
  }

  async begun(): Promise<this> {
    return this.until(({ named }) => named.length > 0)
  }

  async count(events: number): Promise<Body[]> {
    await this.until((stream) => stream.events.length >= events)
    return this.events
  }

  async ended(): Promise<this> {
    while (!this.isOver) await this.#change()
    return this
  }

  get code(): unknown {
    return this.named.find(({ name }) => name === 'error')?.data['code']
  }

  get queueId(): string {
    return String(this.named.find(({ name }) => name === 'queue')?.data['queue_id'])
  }

  pause(): void {
    this.#response?.pause()
  }

  resume(): void {
    this.#response?.resume()
  }

  cut(): void {
    this.#sent.destroy()
  }

  async #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = resolve
    })
  }

  #begin(response: IncomingMessage): void {
    this.#response = response
    response.setEncoding('utf8')
    response.on('data', (text: string) => this.#take(text))
    response.on('error', () => this.#finish())
    response.on('end', () => {
      const isOurs = !isFromProxy({ status: this.status, headers: response.headers })
      if (isOurs && response.headers['content-type'] !== 'text/event-stream') {
        this.body = parseObject(this.#left)
        checkAnswer('GET', '/api/v1/events', this.status, this.body)
      }
      this.#finish()
    })
  }

  #take(text: string): void {
    this.#left += text
    // Events can arrive in many chunks.
    if (!text.includes('\n\n') && !text.startsWith('\n')) return
    const blocks = this.#left.split('\n\n')
    this.#left = blocks.pop() ?? ''
    for (const block of blocks) this.#takeBlock(block.split('\n'))
    this.#changed()
  }

  #takeBlock(lines: readonly string[]): void {
    const field = (name: string): string | undefined =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
    const [data, name] = [field('data'), field('event')]
    if (data === undefined) {
      this.comments += 1
      return
    }
    const body = parseObject(data)
    if (name !== undefined) {
      this.named.push({ name, data: body })
      return
    }
    this.lastEventId = field('id')
    this.#last = idAfter(this.#last, body)
    if (String(this.#last) !== this.lastEventId) throw new Error(`event ${this.#last} as ${this.lastEventId}`)
    checkAnswer('GET', '/api/v1/events', 200, { result: 'success', msg: '', queue_id: this.queueId, events: [body] })
    this.events.push(body)
  }

  #finish(): void {
    this.isOver = true
    this.#changed()
  }
}

export function openStream(
  user: TestUser,
  parameters: Parameters,
  headers: Record<string, string> = { authorization: basic(user.email, user.apiKey) },
): TestStream {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  return new TestStream(`${user.url}/api/v1/events?${query.toString()}`, {
    host: user.host,
    'user-agent': 'ParleyTest/1.0',
    accept: 'text/event-stream',
    ...headers,
  })
}
