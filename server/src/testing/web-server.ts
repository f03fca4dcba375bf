import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { portOf } from './free-port.ts'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly bytes: Buffer
}

/** Server that is not part of Parley, such as a bot's server. */
export interface WebServer {
  readonly port: number
  readonly received: ReceivedRequest[]
  close(): Promise<void>
}

export interface TlsIdentity {
  readonly key: string
  readonly cert: string
}

export function createSilentService(): {
  readonly answer: (response: ServerResponse) => void
  readonly mostAtOnce: () => number
} {
  let [open, most] = [0, 0]
  return {
    answer(response) {
      open += 1
      most = Math.max(most, open)
      response.on('close', () => (open -= 1))
    },
    mostAtOnce: () => most,
  }
}

/** @param answer answers a request, immediately or later */
export async function startWebServer(
  answer: (request: ReceivedRequest, response: ServerResponse) => void,
  identity?: TlsIdentity,
): Promise<WebServer> {
  const received: ReceivedRequest[] = []
  const listener: RequestListener = (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const bytes = Buffer.concat(pieces)
      const one = { method, path, headers, body: bytes.toString(), bytes }
      received.push(one)
      answer(one, response)
    })
  }
  const server = identity === undefined ? createHttpServer(listener) : createHttpsServer(identity, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server),
    received,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
