/* Baseline for sending messages: parses each form and responds with an ID. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { serveParent } from '../parts/child.js'

let id = 0
const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    if (form.get('content') === null) response.statusCode = 400
    else id += 1
    const body = JSON.stringify({ result: 'success', msg: '', id })
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.setHeader('content-length', Buffer.byteLength(body))
    response.end(body)
  })
})

serveParent(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { url: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}` }
})
