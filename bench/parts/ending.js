/* Stops the processes and removes the folders of a run when the run ends, even by a signal. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/** @import { ChildProcess } from 'node:child_process' */
/** @typedef {'SIGINT' | 'SIGTERM'} Signal */

/** Child processes, each with the signal that stops it gracefully. @type {Map<ChildProcess, Signal>} */
const runningChildren = new Map()
/** @type {Set<string>} */
const folders = new Set()
/** Set when the process starts to exit. Never resolves. @type {Promise<never> | undefined} */
let ending

/** @template {ChildProcess} Child @param {Child} child @param {Signal} [signal] */
export function stopWithProcess(child, signal = 'SIGTERM') {
  if (child.pid === undefined) return child
  runningChildren.set(child, signal)
  child.once('exit', () => runningChildren.delete(child))
  // A measurement can still start processes while this process is ending.
  if (ending !== undefined) child.kill(signal)
  return child
}

/** Never signals twice: the product would exit abruptly. @param {ChildProcess} child @param {NodeJS.Signals} signal */
export async function stopChild(child, signal) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  if (!child.killed) child.kill(signal)
  await once(child, 'exit')
}

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

/** Stops children before a signal ends this process, and removes its folders on exit. */
export function cleanUpOnExit() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => {
      ending ??= stopChildrenAndExit(128 + constants.signals[signal])
    })
  }
  process.on('exit', () => {
    for (const folder of folders) removeFolder(folder)
  })
}

/** Waits forever if this process is ending, so that measurements whose processes were stopped report no error. */
export async function waitUnlessStopping() {
  await ending
}

/** @param {number} code @returns {Promise<never>} */
async function stopChildrenAndExit(code) {
  while (runningChildren.size > 0)
    await Promise.all([...runningChildren].map(async ([child, signal]) => stopChild(child, signal)))
  process.exit(code)
}
