/* Measures the memory that servers need after garbage collection. */
import { kill } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryMib } from './processes.js'
import { waitUntilIdle } from './quiet.js'

/** Node options that make a server collect garbage on a signal. */
export const COLLECT_ON_SIGNAL_OPTIONS = [
  '--expose-gc',
  '--import',
  new URL('collect-on-signal.js', import.meta.url).href,
]

/** V8 returns the young generation's memory only after inactivity. */
const INACTIVITY_SECONDS = 100
const SAMPLE_INTERVAL_MILLISECONDS = 200

/** Measures memory without garbage. @param {readonly number[]} pids of servers with `COLLECT_ON_SIGNAL_OPTIONS` */
export async function measureHeldMemory(pids) {
  /** MiB after the collection, and the minimum since. @type {{ pid: number, collected: number, least: number }[]} */
  const found = []
  for (const pid of pids) {
    await waitUntilIdle(pid)
    kill(pid, 'SIGUSR2')
    await waitUntilIdle(pid)
    found.push({ pid, collected: memoryOf(pid), least: memoryOf(pid) })
  }
  for (let second = 0; second < INACTIVITY_SECONDS; second += 1) {
    await sleep(1000)
    for (const one of found) one.least = Math.min(one.least, memoryOf(one.pid))
  }
  return found
}

/** @template T @param {() => unknown} look runs repeatedly; its errors are rethrown @param {() => Promise<T>} work */
export async function sampleDuring(look, work) {
  const done = new AbortController()
  const { signal } = done
  const looking = async () => {
    while (!signal.aborted) {
      await look()
      await sleep(SAMPLE_INTERVAL_MILLISECONDS, undefined, { signal }).catch(() => undefined)
    }
  }
  const looked = looking()
  // Prevents an unhandled rejection until the promise is awaited below.
  looked.catch(() => undefined)
  try {
    return await work()
  } finally {
    done.abort()
    await looked
  }
}

/** Memory of a running process, in MiB. @param {number} pid */
export function memoryOf(pid) {
  const memory = memoryMib(pid)
  if (memory === 0) throw new Error('a server has ended')
  return memory
}
