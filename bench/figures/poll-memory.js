import { kill } from 'node:process'
import { withReaders } from '../parts/parked.js'
import { memoryMib } from '../parts/processes.js'
import { quiet } from '../parts/quiet.js'

const READERS = 10_000

/** @type {import('../figure.js').Figure} */
export const pollMemory = {
  id: 'poll-memory',
  name: 'memory of the server process that 10,000 parked polls add, one of each of 10,000 users, their queues included',
  unit: 'MiB',
  goal: { atMost: 2 },
  measure: () =>
    withReaders(READERS, async ({ product, bare }) => {
      const baseline = await added(bare)
      const value = await added(product)
      return {
        value: value.held,
        baseline: baseline.held,
        notes: [`product: ${described(value)}`, `bare: ${described(baseline)}`],
      }
    }),
}

/** @typedef {{ held: number, before: number, uncollected: number }} Added */

/**
 * @param {import('../parts/parked.js').Side} side
 * @returns {Promise<Added>}
 */
async function added({ pid, park }) {
  const before = await collected(pid)
  await park()
  const uncollected = memoryMib(pid) - before
  return { before, uncollected, held: (await collected(pid)) - before }
}

/** @param {number} pid */
async function collected(pid) {
  await quiet(pid)
  kill(pid, 'SIGUSR2')
  await quiet(pid)
  return memoryMib(pid)
}

/** @param {Added} added */
function described({ before, uncollected }) {
  return `${Math.round(before)} MiB before, ${Math.round(uncollected)} MiB more with the polls before the collector ran`
}
