import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { portOf } from '../../../server/src/testing/free-port.ts'

/** An event in the format of GitHub's "List repository events" documentation, with the fields common to all types. */
export function gitHubEvent(id: string, type: string, payload: object): object {
  const login = 'octocat'
  return {
    id,
    type,
    actor: { id: 583231, login, display_login: login, gravatar_id: '', url: `https://api.github.com/users/${login}` },
    repo: { id: 1296269, name: 'octocat/Hello-World', url: 'https://api.github.com/repos/octocat/Hello-World' },
    payload,
    public: true,
    created_at: '2022-06-09T12:47:28Z',
  }
}

/** A simulation of GitHub's repository events API. A request with a current ETag waits for further events. */
export class GitHub {
  /** Newest first. */
  events: readonly object[]
  /** Received requests in order. */
  readonly asked: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = []
  /** Status code of the next response, which then contains no events. */
  refusal: number | undefined
  readonly #waiting = new Set<ServerResponse>()
  readonly #server = createServer(({ url = '', headers }, response) => {
    this.asked.push({ url, headers })
    if (this.refusal !== undefined) {
      response.writeHead(this.refusal, { 'retry-after': '0' }).end('{"message":"Not now"}')
      this.refusal = undefined
    } else if (headers['if-none-match'] === this.#tag) this.#waiting.add(response)
    else this.#answer(response)
  })

  constructor(events: readonly object[]) {
    this.events = events
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${portOf(this.#server)}`
  }

  /** Adds events, newest first, and answers waiting requests. */
  happens(...events: readonly object[]): void {
    this.events = [...events, ...this.events]
    for (const response of this.#waiting) this.#answer(response)
    this.#waiting.clear()
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  get #tag(): string {
    return `"${this.events.length}"`
  }

  #answer(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json', etag: this.#tag, 'x-poll-interval': '0' })
    response.end(JSON.stringify(this.events))
  }
}
