/* Baseline without login, queues, or a database: writes the product's bytes to all parked polls and streams. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { serveParent } from '../parts/child.js'

/** Open `text/event-stream` responses. @type {Set<import('node:http').ServerResponse>} */
const openStreams = new Set()

const RESPONSE_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' }

/** Timeout of connections that are idle between two measurements, as in the product. */
const KEEP_ALIVE_MILLISECONDS = 72_000

/** @typedef {{ response: import('node:http').ServerResponse, queueId: string }} Parked */

/** @type {Set<Parked>} */
let parkedPolls = new Set()
/** Serialized events, indexed by event ID. @type {string[]} */
const events = []
let template = ''

const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MILLISECONDS }, (request, response) => {
  if (request.method === 'POST') {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      writeJsonResponse(response, `{"result":"success","msg":"","id":${events.length}}`)
      const content = new URLSearchParams(body).get('content') ?? ''
      events.push(`${template.replace('CONTENT', content)},"id":${events.length}}`)
      const waiting = parkedPolls
      parkedPolls = new Set()
      for (const poll of waiting) answerPoll(poll, events.length - 1)
      const id = events.length - 1
      for (const stream of openStreams) stream.write(`id: ${id}\ndata: ${events[id] ?? ''}\n\n`)
    })
    return
  }
  const [, queueId = '', last = ''] = /queue_id=([^&]*)&last_event_id=(-?\d+)/.exec(request.url ?? '') ?? []
  if (request.headers.accept === 'text/event-stream') {
    openStreams.add(response)
    response.on('close', () => openStreams.delete(response))
    response.writeHead(200, { ...RESPONSE_HEADERS, 'content-type': 'text/event-stream' })
    response.write('event: queue\ndata: {}\n\n')
    return
  }
  const poll = { response, queueId }
  const next = Number(last) + 1
  if (next < events.length) {
    answerPoll(poll, next)
  } else {
    parkedPolls.add(poll)
    response.on('close', () => parkedPolls.delete(poll))
  }
})

/** @param {Parked} poll @param {number} first index of the first event to send */
function answerPoll({ response, queueId }, first) {
  const text = first === events.length - 1 ? (events[first] ?? '') : events.slice(first).join(',')
  writeJsonResponse(response, `{"result":"success","msg":"","events":[${text}],"queue_id":"${queueId}"}`)
}

/** @param {import('node:http').ServerResponse} response @param {string} body */
function writeJsonResponse(response, body) {
  response.writeHead(200, { ...RESPONSE_HEADERS, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

serveParent(async (/** @type {{ template: string }} */ request) => {
  template = request.template
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}` }
})
