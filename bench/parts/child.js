/* Child processes for load and baselines, so that these use no CPU time or memory of the measured process. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stopChild } from './ending.js'

/**
 * @typedef {object} Child @property {number} pid
 * @property {<Answer>(request: object) => Promise<Answer>} ask sends one request at a time
 * @property {() => Promise<void>} stop
 */

/** @param {string} file relative to bench/ @param {readonly string[]} [nodeOptions] @returns {Child} */
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
          // Safe: callers know the type of this file's answers.
          if (error === undefined) resolve(/** @type {any} */ (answer))
          else reject(new Error(`${file}: ${error}`))
        })
        child.send(request)
      }),
    stop: async () => stopChild(child, 'SIGKILL'),
  }
}

/** Answers the parent's requests, and exits with the parent. @param {(request: any) => Promise<object>} handle */
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
