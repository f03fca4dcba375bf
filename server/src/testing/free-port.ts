import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Finds a port for a server that must know its address before the start. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens at no port')
  return address.port
}
