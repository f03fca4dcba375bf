/*
 * What a run leaves behind however it ends, also by a signal: no process that it has started, and no folder that it has made.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {'SIGINT' | 'SIGTERM'} Signal */

/** Processes that would go on without this one, each with the signal that ends it in order. @type {Map<ChildProcess, Signal>} */
const running = new Map()
/** @type {Set<string>} */
const folders = new Set()
/** It resolves never, since this process ends before. @type {Promise<never> | undefined} */
let ending

/**
 * Has a process end when this one is told to.
 * @template {ChildProcess} Child
 * @param {Child} child
 * @param {Signal} [signal]
 */
export function endsWithThis(child, signal = 'SIGTERM') {
  if (child.pid === undefined) return child
  running.set(child, signal)
  child.once('exit', () => running.delete(child))
  // What is measured goes on until it notices, and may have begun this meanwhile.
  if (ending !== undefined) child.kill(signal)
  return child
}

/**
 * Tells a process to end, once, since a second signal has the product end at once, and waits until it has.
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export async function stopped(child, signal) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  if (!child.killed) child.kill(signal)
  await once(child, 'exit')
}

/** A new folder, which is removed at the end of the run unless that was done before. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  folders.add(folder)
  return folder
}

/** @param {string} folder */
export function removeFolder(folder) {
  // Of a database that has just ended, files may still go.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  folders.delete(folder)
}

/** From here on, a signal that ends this process ends first what it has started, and the end of this process removes its folders. */
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

/** What is measured fails when its processes end: that is not to be told where this process was told to end. */
export async function unlessEnding() {
  await ending
}

/** @param {number} code @returns {Promise<never>} */
async function end(code) {
  while (running.size > 0) await Promise.all([...running].map(async ([child, signal]) => stopped(child, signal)))
  process.exit(code)
}
