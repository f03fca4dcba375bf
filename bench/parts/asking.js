/* Sends raw HTTP requests and counts the bytes of their responses. */
import { Agent, request } from 'node:http'

/** @typedef {{ status: number, bytes: number, body: () => Record<string, any> }} Reply `body` parses the JSON */

/** @typedef {(asked: import('../worst/requests.js').Request) => Promise<Reply>} Ask */

/** @param {string} url of the server @param {Readonly<Record<string, string>>} headers to send with every request */
export function createRequester(url, headers) {
  const agent = new Agent({ keepAlive: true })
  /** @type {Ask} */
  const ask = ({ method, path, type, body }) =>
    new Promise((resolve, reject) => {
      const described =
        body === undefined ? {} : { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }
      const sent = request(
        `${url}/api/v1${path}`,
        { method, agent, headers: { ...headers, ...described } },
        (response) => {
          /** @type {Buffer[]} */
          const chunks = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const bytes = Buffer.concat(chunks)
            resolve({ status: response.statusCode ?? 0, bytes: bytes.length, body: () => JSON.parse(String(bytes)) })
          })
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  return { ask, close: () => agent.destroy() }
}
