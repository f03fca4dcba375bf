/* Stops the processes and removes the folders of a run when it ends, even by a signal. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {'SIGINT' | 'SIGTERM'} Signal */

/** Child processes, each with the signal that stops it gracefully. @type {Map<ChildProcess, Signal>} */
const running = new Map()
/** @type {Set<string>} */
const folders = new Set()
/**
 * Never resolves, because the process exits first.
 * @type {Promise<never> | undefined}
 */
let ending

/**
 * Stops a child when this process is told to end.
 * @template {ChildProcess} Child
 * @param {Child} child
 * @param {Signal} [signal]
 */
export function stopWithProcess(child, signal = 'SIGTERM') {
  if (child.pid === undefined) return child
  running.set(child, signal)
  child.once('exit', () => running.delete(child))
  // A measurement in progress can still start processes while this process is ending.
  if (ending !== undefined) child.kill(signal)
  return child
}

/**
 * Sends a signal only once, because a second signal would make the product exit immediately, and waits for the exit.
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export async function stopChild(child, signal) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  if (!child.killed) child.kill(signal)
  await once(child, 'exit')
}

/** Creates a folder that is removed at the end of the run. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  folders.add(folder)
  return folder
}

/** @param {string} folder */
export function removeFolder(folder) {
  // A database that has just stopped may still be deleting files.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  folders.delete(folder)
}

/** Installs handlers that stop children before a signal ends this process, and remove its folders on exit. */
export function endInOrder() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => {
      ending ??= end(128 + constants.signals[signal])
    })
  }
  process.on('exit', () => {
    for (const folder of folders) removeFolder(folder)
  })
}

/**
 * Waits forever if this process is ending. The measurements then fail because their processes end, which is not an
 * error.
 */
export async function waitUnlessStopping() {
  await ending
}

/** @param {number} code @returns {Promise<never>} */
async function end(code) {
  while (running.size > 0) await Promise.all([...running].map(async ([child, signal]) => stopChild(child, signal)))
  process.exit(code)
}
