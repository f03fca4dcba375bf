/* Baseline for the web client: serves fixed pages and responses. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { serveParent } from '../parts/child.js'

/** Keyed by path. @type {Map<string, { type: string, body: Buffer }>} */
const servedPages = new Map()

const server = createServer(({ url = '' }, response) => {
  const { pathname } = new URL(url, 'http://bare')
  const found = servedPages.get(pathname)
  if (found === undefined) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': found.type, 'content-encoding': 'gzip' }).end(found.body)
})

serveParent(async ({ pages }) => {
  for (const [path, { type, body }] of Object.entries(/** @type {import('../parts/web.js').Pages} */ (pages))) {
    servedPages.set(path, { type, body: gzipSync(body) })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { url: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}` }
})
