/* Baseline for the web client and public pages: serves fixed pages and responses, compressed unless `isPlain`. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { serveParent } from '../parts/child.js'

/** Keyed by path. @type {Map<string, { headers: Record<string, string>, body: Buffer }>} */
const servedPages = new Map()

const server = createServer(({ url = '' }, response) => {
  const { pathname } = new URL(url, 'http://bare')
  const found = servedPages.get(pathname)
  if (found === undefined) return void response.writeHead(404).end()
  response.writeHead(200, { ...found.headers, 'content-length': found.body.length }).end(found.body)
})

serveParent(async ({ pages, isPlain = false }) => {
  for (const [path, { type, body }] of Object.entries(/** @type {import('../parts/web.js').Pages} */ (pages))) {
    const headers = isPlain ? { 'content-type': type } : { 'content-type': type, 'content-encoding': 'gzip' }
    servedPages.set(path, { headers, body: isPlain ? Buffer.from(body) : gzipSync(body) })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { url: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}` }
})
