import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A node behind the balancer. */
export interface Backend {
  readonly name: string
  readonly url: string
  /** Requests that it has answered with 200. */
  answered: number
}

/** What a proxy in front of several nodes does: each request goes to the next one of those that are in rotation. */
export class Balancer {
  readonly url: string
  /** Answers that mean a fault: which node gave them, to what. */
  readonly faults: string[] = []
  readonly #server = createServer((incoming, answer) => this.#pass(incoming, answer))
  readonly #agent = new Agent({ keepAlive: false })
  readonly #backends: Backend[] = []
  #turn = 0

  private constructor(port: number) {
    this.url = `http://127.0.0.1:${port}`
  }

  static async open(): Promise<Balancer> {
    // The port is known before the object, whose address others are told.
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    // A server that listens at a port has such an address.
    const { port } = probe.address() as AddressInfo
    await once(probe.close(), 'close')
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

  /** Sends it nothing any more; what it has begun it may end. */
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
    // As a client sees a node that dies under it.
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
