import { request } from 'node:http'
import { eventName } from '../kernel/event.ts'
import { recordWith } from '../kernel/keys.ts'
import { unpackLists } from '../kernel/packed-rows.ts'
import { API_CAPABILITIES } from '../kernel/viewer.ts'
import { checkAnswer, type AskedRegistration } from './contract-check.ts'
import type {
  AnyResponseTo,
  Body,
  EventFields,
  EventsByName,
  ReceivedEvent,
  RegisterResponse,
  ResponseTo,
} from './contract-types.ts'
import { isList, parseObject } from './json.ts'

export type { Body } from './contract-types.ts'
export type Parameters = Readonly<Record<string, unknown>>

export interface Answer<Content = Body> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Content
}

/** Sends requests like a client. Every answer is checked against the contract. */
export class TestUser {
  readonly url: string
  readonly host: string
  email: string
  apiKey: string
  readonly id: number

  constructor(url: string, host: string, email: string, apiKey: string, id: number) {
    this.url = url
    this.host = host
    this.email = email
    this.apiKey = apiKey
    this.id = id
  }

  /** Uses the new email address for later requests if the call succeeds in changing it. */
  async switchEmail(to: string, call: Promise<Answer>): Promise<Answer> {
    const answer = await call
    if (answer.status === 200) this.email = to
    return answer
  }

  /** Fetches the key that a reactivation created. Requires a server in development mode. */
  async fetchApiKey(): Promise<void> {
    const { status, body } = await callApi(this.url, this.host, 'POST', '/dev_fetch_api_key', { username: this.email })
    if (status === 200) this.apiKey = String(body['api_key'])
  }

  async fetchNewApiKey(manager: TestUser): Promise<void> {
    const { api_key: apiKey } = await manager.call('GET', `/bots/${this.id}/api_key`)
    this.apiKey = apiKey
  }

  /** Expects success. Values other than strings are sent as JSON. */
  call<Method extends string = string, Path extends string = string>(
    method: Method,
    path: Path,
    parameters?: Parameters,
  ): Promise<ResponseTo<Method, Path>>
  // The server checks its answers against the declarations in tests.
  async call(method: string, path: string, parameters: Parameters = {}): Promise<unknown> {
    const { status, body } = await this.exchange(method, path, parameters)
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  try<Method extends string = string, Path extends string = string>(
    method: Method,
    path: Path,
    parameters?: Parameters,
  ): Promise<Answer<AnyResponseTo<Method, Path>>>
  async try(method: string, path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.exchange(method, path, parameters)
  }

  protected async exchange(method: string, path: string, parameters: Parameters): Promise<Answer> {
    return callApi(this.url, this.host, method, path, parameters, {
      headers: { authorization: basic(this.email, this.apiKey) },
      asked: askedRegistration(parameters),
    })
  }

  async register(parameters: Parameters = {}): Promise<TestQueue> {
    const state = await this.call('POST', '/register', {
      client_capabilities: ALL_CAPABILITIES,
      apply_markdown: true,
      ...parameters,
    })
    return new TestQueue(this, state)
  }

  /** @returns the message's ID */
  async send(channel: string | number, topic: string, content: string, more: Parameters = {}): Promise<number> {
    const { id } = await this.call('POST', '/messages', { type: 'stream', to: channel, topic, content, ...more })
    return id
  }

  async sendTo(userIds: readonly number[], content: string, more: Parameters = {}): Promise<number> {
    const { id } = await this.call('POST', '/messages', { type: 'direct', to: userIds, content, ...more })
    return id
  }

  /** Subscribes to channels, creates missing ones, and notifies no one. */
  async subscribe(
    names: readonly string[],
    more: Parameters = {},
  ): Promise<ResponseTo<'POST', '/users/me/subscriptions'>> {
    return this.call('POST', '/users/me/subscriptions', {
      subscriptions: names.map((name) => ({ name })),
      send_new_subscription_messages: false,
      ...more,
    })
  }
}

/** Sends requests without an account. */
export class TestSpectator extends TestUser {
  constructor({ url, host }: Pick<TestUser, 'url' | 'host'>) {
    super(url, host, '', '', 0)
  }

  protected override async exchange(method: string, path: string, parameters: Parameters): Promise<Answer> {
    return callApi(this.url, this.host, method, path, parameters)
  }
}

export const ALL_CAPABILITIES = recordWith(API_CAPABILITIES, () => true)

export class TestQueue {
  readonly user: TestUser
  readonly state: RegisterResponse
  readonly id: string
  lastEventId: number

  constructor(user: TestUser, state: RegisterResponse) {
    this.user = user
    this.state = state
    this.id = state.queue_id
    this.lastEventId = state.last_event_id
  }

  /** Polls without waiting, and checks that IDs increase. */
  async events(): Promise<ReceivedEvent[]> {
    return this.#poll({ dont_block: true })
  }

  async next(): Promise<ReceivedEvent[]> {
    return this.#poll({})
  }

  async #poll(parameters: Parameters): Promise<ReceivedEvent[]> {
    const { events } = await this.user.call('GET', '/events', {
      queue_id: this.id,
      last_event_id: this.lastEventId,
      ...parameters,
    })
    for (const event of events) {
      this.lastEventId = idAfter(this.lastEventId, event)
    }
    return events
  }
}

/** The events of one `type` or `type/op`. */
export function eventsOf<Name extends keyof EventsByName>(
  events: readonly EventFields[],
  name: Name,
): EventsByName[Name][] {
  // Safe: the server checks each event against its declaration in tests.
  return events.filter((event) => eventName(event) === name) as unknown as EventsByName[Name][]
}

export function idAfter(lastEventId: number, event: Body): number {
  const { id } = event
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= Math.max(lastEventId, 0))
    throw new Error(`event ${String(id)} after ${lastEventId}`)
  return id
}

export function askedRegistration(parameters: Parameters): AskedRegistration {
  const fetchTypes = listIn(parameters['fetch_event_types'] ?? parameters['event_types'])
  return {
    fetchEventTypes: fetchTypes?.map(String) ?? null,
    clientCapabilities: parameters['client_capabilities'],
  }
}

/** Accepts lists and their JSON text. Undefined for other text, which tests also send. */
function listIn(value: unknown): readonly unknown[] | undefined {
  if (isList(value) || typeof value !== 'string') return isList(value) ? value : undefined
  try {
    return listIn(JSON.parse(value))
  } catch {
    return undefined
  }
}

export function basic(email: string, apiKey: string): string {
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
}

export function visibleHeaders(headers: Answer['headers']): Answer['headers'] {
  const { date: _date, 'x-request-id': _id, ...others } = headers
  return others
}

export async function callApi(
  url: string,
  host: string,
  method: string,
  path: string,
  parameters: Parameters,
  options: { headers?: Record<string, string>; asked?: AskedRegistration; body?: string } = {},
): Promise<Answer> {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const inQuery = method === 'GET' || method === 'HEAD'
  const query = inQuery && form.size > 0 ? `?${form.toString()}` : ''
  const headers: Record<string, string> = { host, 'user-agent': 'ParleyTest/1.0', ...options.headers }
  if (!inQuery) headers['content-type'] ??= 'application/x-www-form-urlencoded'
  const body = options.body ?? (inQuery ? undefined : form.toString())
  const answer = await exchangeHttp(`${url}/api/v1${path}${query}`, method, headers, body)
  if (isFromProxy(answer)) return { status: answer.status, headers: answer.headers, body: {} }
  const parsed: Body = answer.text === '' ? {} : parseObject(answer.text)
  if (path === '/register') unpackLists(parsed)
  if (method !== 'HEAD') checkAnswer(method, `/api/v1${path}`, answer.status, parsed, options.asked)
  return { status: answer.status, headers: answer.headers, body: parsed }
}

/** Whether a proxy answered: the API itself answers in JSON. */
export function isFromProxy({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean {
  return status >= 502 && String(headers['content-type']).startsWith('text/html')
}

/** Sets the Host header, which identifies the organization and which `fetch` does not allow. */
export async function exchangeHttp(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<{ status: number; headers: Answer['headers']; text: string }> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(url, { method, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: visibleHeaders(response.headers),
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
