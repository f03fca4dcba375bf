/* The process behind parts/load.js: raw HTTP over one persistent connection per client. */
import { Agent, request } from 'node:http'
import { gunzipSync } from 'node:zlib'

/** @import { Answered, Asked, Asking } from './load.js' */

/** Keyed by URL and client, to reuse warm connections. @type {Map<string, Agent>} */
const agents = new Map()

process.on('message', (message) => {
  // Safe: only `withLoad` sends messages.
  const { url, clients, keepBodies } = /** @type {{ url: string, clients: Asking[], keepBodies: boolean }} */ (message)
  sendAllRequests(url, clients, keepBodies).then(
    (result) => process.send?.(result),
    (/** @type {unknown} */ error) => process.send?.({ error: String(error) }),
  )
})

/** @param {string} url @param {readonly Asking[]} clients @param {boolean} keepBodies */
async function sendAllRequests(url, clients, keepBodies) {
  /** @type {Answered[]} */
  const answers = []
  const before = process.cpuUsage()
  const started = performance.now()
  await Promise.all(
    clients.map(async ({ email, key, requests }, client) => {
      const name = `${url} ${client}`
      const agent = agents.get(name) ?? new Agent({ keepAlive: true, maxSockets: 1 })
      agents.set(name, agent)
      const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
      for (const asked of requests) {
        const { body, ...answer } = await sendRequest(agent, url, authorization, asked)
        answers.push({ client, ...answer, body: keepBodies ? body() : null })
      }
    }),
  )
  const milliseconds = performance.now() - started
  const { user, system } = process.cpuUsage(before)
  return { answers, milliseconds, cores: (user + system) / 1000 / milliseconds }
}

/**
 * @param {Agent} agent @param {string} url @param {string} authorization @param {Asked} asked
 * @returns {Promise<Omit<Answered, 'client' | 'body'> & { body: () => string }>}
 */
function sendRequest(agent, url, authorization, { method, path, fields = {}, gzip = false }) {
  const parameters = new URLSearchParams(fields).toString()
  const isQuery = method === 'GET'
  const payload = isQuery ? '' : parameters
  const headers = {
    authorization,
    ...(gzip ? { 'accept-encoding': 'gzip' } : {}),
    ...(isQuery
      ? {}
      : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(payload.length) }),
  }
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const target = `${url}/api/v1${path}${isQuery && parameters !== '' ? `?${parameters}` : ''}`
    const sent = request(target, { method, agent, headers }, (response) => {
      /** @type {Buffer[]} */
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const milliseconds = performance.now() - started
        const bytes = Buffer.concat(chunks)
        const body = () => (response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
        resolve({ milliseconds, status: response.statusCode ?? 0, bytes: bytes.length, body })
      })
    })
    sent.on('error', reject)
    sent.end(payload)
  })
}
