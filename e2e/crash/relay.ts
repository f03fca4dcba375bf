import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP relay to a server. Cutting it drops all data without closing connections, so that neither side notices. */
export class Relay {
  readonly port: number
  readonly #server: Server
  readonly #sockets: Set<Socket>
  readonly #way: { isCut: boolean }

  private constructor(port: number, server: Server, sockets: Set<Socket>, way: { isCut: boolean }) {
    this.port = port
    this.#server = server
    this.#sockets = sockets
    this.#way = way
  }

  static async to(port: number): Promise<Relay> {
    const sockets = new Set<Socket>()
    const way = { isCut: false }
    const hold = (socket: Socket): void => {
      sockets.add(socket)
      // The other end receives the error.
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    const server = createServer((near) => {
      const far = connect(port, '127.0.0.1')
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        hold(from)
        from.on('data', (data: Buffer) => !way.isCut && to.write(data))
        from.on('close', () => !way.isCut && to.destroy())
      }
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the relay has no port')
    return new Relay(address.port, server, sockets, way)
  }

  cut(): void {
    this.#way.isCut = true
  }

  /** Closes all existing connections. */
  heal(): void {
    this.#way.isCut = false
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.heal()
    await once(this.#server.close(), 'close')
  }
}
