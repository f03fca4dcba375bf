/* HTTP clients in a separate process, so that their CPU time does not count as the server's. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** @typedef {{ method: string, path: string, fields?: Record<string, string>, gzip?: boolean }} Asked */
/** @typedef {{ email: string, key: string, requests: readonly Asked[] }} Asking a client with one connection */
/**
 * `bytes`: size of the body as transferred, before it is decompressed.
 * @typedef {{ client: number, milliseconds: number, status: number, bytes: number, body: string | null }} Answered
 */
/**
 * @typedef {object} Load @property {Answered[]} answers in order of arrival
 * @property {number} milliseconds from the first request to the last response
 * @property {number} cores CPU share of the load process
 */

/**
 * @typedef {object} LoadProcess
 * @property {(url: string, clients: readonly Asking[], options?: { keepBodies?: boolean }) => Promise<Load>} ask runs
 * all clients concurrently, each with its requests in sequence
 */

/** @template T @param {(load: LoadProcess) => Promise<T>} use */
export async function withLoad(use) {
  const child = fork(fileURLToPath(new URL('load-process.js', import.meta.url)), { stdio: 'inherit' })
  try {
    return await use({
      async ask(url, clients, { keepBodies = false } = {}) {
        child.send({ url, clients, keepBodies })
        // Safe: `load-process.js` sends only these messages.
        const [answer] = /** @type {[Load | { error: string }]} */ (await once(child, 'message'))
        if ('error' in answer) throw new Error(answer.error)
        return answer
      },
    })
  } finally {
    child.disconnect()
    await once(child, 'exit')
  }
}

/** Response times in milliseconds. @throws if a request failed. @param {Load} load */
export function responseTimes({ answers }) {
  const refused = answers.find(({ status }) => status !== 200)
  if (refused !== undefined) throw new Error(`answered with ${refused.status}`)
  return answers.map(({ milliseconds }) => milliseconds)
}
