import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSeconds } from './processes.js'

const WINDOW_MILLISECONDS = 300
/** CPU time that background work of an idle process can take during `WINDOW_MILLISECONDS`. */
const MAX_IDLE_CPU_SECONDS = 0.02
const MAX_WAIT_SECONDS = 60

/** Waits until a process is idle, so that it has handled everything sent to it. @param {number} pid */
export async function waitUntilIdle(pid) {
  const deadline = Date.now() + MAX_WAIT_SECONDS * 1000
  for (let before = cpuSeconds(pid); Date.now() < deadline;) {
    await sleep(WINDOW_MILLISECONDS)
    const now = cpuSeconds(pid)
    if (now - before <= MAX_IDLE_CPU_SECONDS) return
    before = now
  }
  throw new Error(`process ${pid} is still busy after ${MAX_WAIT_SECONDS} seconds`)
}
