import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { freePort } from '../../server/src/testing/free-port.ts'

export interface Backend {
  readonly name: string
  readonly url: string
  /** Number of requests answered with 200. */
  answered: number
}

/** A round-robin load balancer. */
export class Balancer {
  readonly url: string
  /** Descriptions of responses with status 500: node and request. */
  readonly faults: string[] = []
  readonly #server = createServer((incoming, answer) => this.#pass(incoming, answer))
  readonly #agent = new Agent({ keepAlive: false })
  readonly #backends: Backend[] = []
  #turn = 0

  private constructor(port: number) {
    this.url = `http://127.0.0.1:${port}`
  }

  static async open(): Promise<Balancer> {
    const port = await freePort()
    const balancer = new Balancer(port)
    balancer.#server.listen(port, '127.0.0.1')
    await once(balancer.#server, 'listening')
    return balancer
  }

  add(name: string, url: string): Backend {
    const backend = { name, url, answered: 0 }
    this.#backends.push(backend)
    return backend
  }

  /** Removes a node from the rotation. Its pending requests finish. */
  remove(backend: Backend): void {
    this.#backends.splice(this.#backends.indexOf(backend), 1)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await once(this.#server.close(), 'close')
    this.#agent.destroy()
  }

  #pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const backend = this.#backends[this.#turn++ % this.#backends.length]
    const { method = 'GET', url = '/', headers } = incoming
    // Passes the node's lost connection on to the client.
    const cut = (): void => void answer.destroy()
    if (backend === undefined) return cut()
    const passed = request(new URL(url, backend.url), { method, headers, agent: this.#agent }, (response) => {
      const { statusCode = 0 } = response
      if (statusCode === 200) backend.answered += 1
      if (statusCode === 500) this.faults.push(`${backend.name} answered ${method} ${url.replace(/\?.*/, '')} with 500`)
      answer.writeHead(statusCode, response.headers)
      response.pipe(answer)
      response.once('error', cut)
    })
    passed.once('error', cut)
    incoming.pipe(passed)
    answer.once('close', () => passed.destroy())
  }
}
