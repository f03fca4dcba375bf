/*
 * Clients that ask over HTTP, in a process of their own, so that what they cost is not what the server costs.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** @typedef {{ method: string, path: string, fields?: Record<string, string>, gzip?: boolean }} Asked */
/** @typedef {{ email: string, key: string, requests: readonly Asked[] }} Asking one client, with one connection */
/** @typedef {{ client: number, milliseconds: number, status: number, bytes: number, body: string | null }} Answered `bytes` as they came */
/**
 * @typedef {object} Load
 * @property {Answered[]} answers in the order in which they came
 * @property {number} milliseconds from the first question to the last answer
 * @property {number} cores the share of a core that the asking took
 */

/**
 * @typedef {object} LoadProcess
 * @property {(url: string, clients: readonly Asking[], options?: { keepBodies?: boolean }) => Promise<Load>} ask
 *   every client at once, each its requests one after another
 */

/**
 * @template T
 * @param {(load: LoadProcess) => Promise<T>} use
 */
export async function withLoad(use) {
  const child = fork(fileURLToPath(new URL('load-process.js', import.meta.url)), { stdio: 'inherit' })
  try {
    return await use({
      async ask(url, clients, { keepBodies = false } = {}) {
        child.send({ url, clients, keepBodies })
        // What `load-process.js` sends.
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

/** The times of one kind of question, when each was answered well. @param {Load} load */
export function timesOf({ answers }) {
  const refused = answers.find(({ status }) => status !== 200)
  if (refused !== undefined) throw new Error(`answered with ${refused.status}`)
  return answers.map(({ milliseconds }) => milliseconds)
}
