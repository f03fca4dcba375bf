/*
 * What servers hold in memory, which are told to collect garbage for it.
 */
import { kill } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryMib } from './processes.js'
import { quiet } from './quiet.js'

/** Options of Node with which a server collects garbage when told by a signal. */
export const COLLECTING = ['--expose-gc', '--import', new URL('collect-on-signal.js', import.meta.url).href]

/** V8 gives the room for young objects back when nothing has happened for a while. */
const REST_SECONDS = 100
const LOOK_MILLISECONDS = 200

/**
 * What servers hold: the least that each has in the time after a collection. With it, what it was right after that.
 * @param {readonly number[]} pids of servers that were started with `COLLECTING`
 */
export async function held(pids) {
  /** @type {{ pid: number, collected: number, least: number }[]} */
  const found = []
  for (const pid of pids) {
    await quiet(pid)
    kill(pid, 'SIGUSR2')
    await quiet(pid)
    found.push({ pid, collected: memoryOf(pid), least: memoryOf(pid) })
  }
  for (let second = 0; second < REST_SECONDS; second += 1) {
    await sleep(1000)
    for (const one of found) one.least = Math.min(one.least, memoryOf(one.pid))
  }
  return found
}

/**
 * Looks again and again while something is done.
 * @template T
 * @param {() => unknown} look where it fails, all of it does
 * @param {() => Promise<T>} work
 */
export async function whileLooking(look, work) {
  const done = new AbortController()
  const { signal } = done
  const looking = async () => {
    while (!signal.aborted) {
      await look()
      await sleep(LOOK_MILLISECONDS, undefined, { signal }).catch(() => undefined)
    }
  }
  const looked = looking()
  // It is waited for in the end.
  looked.catch(() => undefined)
  try {
    return await work()
  } finally {
    done.abort()
    await looked
  }
}

/** The memory of a process that has to be there, in MiB. @param {number} pid */
export function memoryOf(pid) {
  const memory = memoryMib(pid)
  if (memory === 0) throw new Error('a server has ended')
  return memory
}
