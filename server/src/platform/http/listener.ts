import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createRelay, type AddressInfo, type Server as Relay, type Socket } from 'node:net'
import { ApiError } from '../../kernel/refusal.ts'
import type { Logger } from '../logger.ts'
import { isResponseSent } from './body.ts'
import { connectionLimit } from './descriptors.ts'
import { API_HEADERS } from './headers.ts'

const HEADERS_TIMEOUT_MILLISECONDS = 60_000
/** Long enough to upload the largest file over a slow connection. */
const REQUEST_TIMEOUT_MILLISECONDS = 900_000
/** Exceeds the idle timeout of common proxies. */
const KEEP_ALIVE_TIMEOUT_MILLISECONDS = 72_000
/** Time for the sender of invalid HTTP to read the response. */
const LINGER_TIMEOUT_MILLISECONDS = 1_000

export interface Listener {
  readonly server: Server
  /** Returns the server's URL, or an empty string before it listens. */
  url(): string
  listen(address: { host: string; port: number }): Promise<string>
  close(): Promise<void>
}

/** Creates a listener, whose server emits requests as `request` events. */
export function createListener(logger: Logger): Listener {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MILLISECONDS,
    requestTimeout: REQUEST_TIMEOUT_MILLISECONDS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MILLISECONDS,
  })
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    // Ignores repeated errors: after an error, the parser reports every later chunk, too.
    if (!socket.writable) return
    if (isResponseSent(socket)) {
      socket.destroy()
      return
    }
    // Never logs the bytes, because they can contain passwords.
    logger.info({ code: error.code }, 'malformed request')
    refuseMalformed(socket)
  })
  const most = connectionLimit()
  if (most !== undefined) server.maxConnections = most
  server.on('drop', () => {
    logger.error({ connections: most }, 'too many connections, rejecting clients: raise the limit of open files')
  })
  let url = ''
  let relays: Relay[] = []
  return {
    server,
    url: () => url,
    async listen({ host, port }) {
      server.listen({ host, port })
      await once(server, 'listening')
      const bound = listeningAddress(server)
      if (host === 'localhost') relays = await relayOtherAddresses(server, bound)
      url = addressUrl(bound)
      return url
    },
    async close() {
      await Promise.all([server, ...relays].filter(({ listening }) => listening).map(closeServer))
    },
  }
}

async function closeServer(server: Server | Relay): Promise<void> {
  const ended = once(server, 'close')
  server.close()
  await ended
}

function refuseMalformed(socket: Socket): void {
  const body = JSON.stringify(new ApiError('BAD_REQUEST', 'Malformed request').envelope())
  const headers = { ...API_HEADERS, 'content-length': body.length, connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`)
  const hangUp = setTimeout(() => socket.destroy(), LINGER_TIMEOUT_MILLISECONDS)
  socket.on('close', () => clearTimeout(hangUp))
}

/** Relays connections from the other addresses of `localhost`. One address is enough, so failures are ignored. */
async function relayOtherAddresses(server: Server, { address, port }: AddressInfo): Promise<Relay[]> {
  const { lookup } = await import('node:dns/promises')
  const found = await lookup('localhost', { all: true }).catch(() => [])
  const others = new Set(found.map((one) => one.address))
  others.delete(address)
  const relays: Relay[] = []
  for (const host of others) {
    const relay = createRelay({ noDelay: true }, (socket) => server.emit('connection', socket))
    try {
      relay.listen({ host, port })
      await once(relay, 'listening')
      relays.push(relay)
    } catch {
      relay.close()
    }
  }
  return relays
}

function listeningAddress(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens at no port')
  return address
}

function addressUrl({ address, family, port }: AddressInfo): string {
  // 0.0.0.0 means all addresses of the machine, including loopback.
  const host = address === '0.0.0.0' ? '127.0.0.1' : address
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`
}
