import { kill } from 'node:process'
import { formatNumber } from '../figure.js'
import { FORM } from '../parts/crowd.js'
import { measureHeldMemory, memoryOf, sampleDuring } from '../parts/held.js'
import { withReaders } from '../parts/parked.js'
import { waitUntilIdle } from '../parts/quiet.js'

const READERS = 10_000

/** @type {import('../figure.js').Figure} */
export const pollMemory = {
  id: 'poll-memory',
  name: 'server memory added by 10,000 parked polls of as many users, including their queues',
  unit: 'MiB',
  goal: { atMost: 2 },
  measure: () => measureMemory(false),
}

/** @type {import('../figure.js').Figure} */
export const streamMemory = {
  id: 'stream-memory',
  name: 'server memory added by 10,000 streams of as many users, including their queues',
  unit: 'MiB',
  goal: { atMost: 1.5 },
  measure: () => measureMemory(true),
}

/** @type {import('../figure.js').Figure} */
export const pollPeak = {
  id: 'poll-peak',
  name: 'peak server memory added while 10,000 clients connect and wait, without a forced garbage collection',
  unit: 'MiB',
  goal: { atMost: 1.5 },
  measure: () =>
    withReaders(
      READERS,
      async ({ product, bare }) => {
        const added = []
        const notes = []
        for (const [server, side] of Object.entries({ product, bare })) {
          await waitUntilIdle(side.pid)
          kill(side.pid, 'SIGUSR2')
          await waitUntilIdle(side.pid)
          const before = memoryOf(side.pid)
          let most = before
          await sampleDuring(() => (most = Math.max(most, memoryOf(side.pid))), side.park)
          // Verifies that all clients are connected.
          await side.ask({ do: 'fan-out', form: FORM })
          added.push(most - before)
          notes.push(`${server}: ${formatNumber(before)} MiB before, ${formatNumber(most)} at the peak`)
        }
        const [value = 0, baseline = 0] = added
        return { value, baseline, notes }
      },
      { env: NO_HEARTBEATS },
    ),
}

/** @param {boolean} streams @returns {Promise<import('../figure.js').Measurement>} */
function measureMemory(streams) {
  return withReaders(
    READERS,
    async ({ product, bare }) => {
      const sides = [product, bare]
      const before = await measureHeldMemory(sides.map(({ pid }) => pid))
      /** @type {number[]} */
      const parked = []
      for (const side of sides) {
        await side.park()
        parked.push(memoryOf(side.pid))
      }
      const after = await measureHeldMemory(sides.map(({ pid }) => pid))
      for (const side of sides) await side.ask({ do: 'fan-out', form: FORM })
      const [value = 0, baseline = 0] = sides.map(
        (_, index) => (after[index]?.least ?? 0) - (before[index]?.least ?? 0),
      )
      const notes = ['product', 'bare'].map((server, index) => {
        const { least = 0 } = before[index] ?? {}
        const [notCollected, collected] = [parked[index], after[index]?.collected].map((memory = 0) => memory - least)
        return (
          `${server}: ${formatNumber(least)} MiB before, ${formatNumber(notCollected ?? 0)} more with all clients before the garbage ` +
          `collection, ${formatNumber(collected ?? 0)} after it`
        )
      })
      return { value, baseline, notes }
    },
    { env: NO_HEARTBEATS, streams },
  )
}

/** Effectively disables heartbeats, which the bare server does not send. */
const NO_HEARTBEATS = { PARLEY_HEARTBEAT_SECONDS: '600' }
