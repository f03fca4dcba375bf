import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** Finds a port for a server that must know its address before the start. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Safe: a TCP server's address is an object.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
