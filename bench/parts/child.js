/*
 * Load processes and bare servers: processes of their own, so that neither takes processor time or memory of what is
 * measured. They take requests and answer each with one message.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stopped } from './ending.js'

/**
 * @typedef {object} Child
 * @property {number} pid
 * @property {<Answer>(request: object) => Promise<Answer>} ask one thing at a time
 * @property {() => Promise<void>} stop
 */

/**
 * @param {string} file from the folder bench/
 * @param {readonly string[]} [nodeOptions]
 * @returns {Child}
 */
export function startChild(file, nodeOptions = []) {
  const child = fork(fileURLToPath(new URL(`../${file}`, import.meta.url)), { execArgv: [...nodeOptions] })
  return {
    pid: child.pid ?? 0,
    ask: (request) =>
      new Promise((resolve, reject) => {
        const ended = () => reject(new Error(`${file} ended`))
        child.once('exit', ended)
        child.once('message', (answer) => {
          child.off('exit', ended)
          const { error } = /** @type {{ error?: string }} */ (answer)
          // What the process of this name answers is what its caller expects.
          if (error === undefined) resolve(/** @type {any} */ (answer))
          else reject(new Error(`${file}: ${error}`))
        })
        child.send(request)
      }),
    stop: async () => stopped(child, 'SIGKILL'),
  }
}

/**
 * The other side: handles each request, whose result or error is the answer. Ends with the parent.
 * @param {(request: any) => Promise<object>} handle
 */
export function serveParent(handle) {
  process.on('message', (request) => {
    handle(request).then(
      (answer) => process.send?.(answer),
      (/** @type {unknown} */ error) =>
        process.send?.({ error: error instanceof Error ? error.message : String(error) }),
    )
  })
  process.on('disconnect', () => process.exit())
}
