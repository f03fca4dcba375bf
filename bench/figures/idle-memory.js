import { setTimeout as sleep } from 'node:timers/promises'
import { commandLineOf, memoryMib } from '../parts/processes.js'
import { withData, withProduct } from '../parts/product.js'

/** Enough time to release memory that only startup needs. */
const SETTLE_MILLISECONDS = 8_000

/** @type {import('../figure.js').Figure} */
export const idleMemory = {
  id: 'idle-memory',
  name: 'memory of everything that `npm start` leaves running, when idle (proportional set size)',
  unit: 'MiB',
  goal: { atMost: 150 },
  measure: () =>
    withData((data) =>
      withProduct({ data, npm: true }, async ({ url, processes }) => {
        await fetch(`${url}/api/v1/server_settings`)
        await sleep(SETTLE_MILLISECONDS)
        const rows = processes().map((pid) => ({ name: commandLineOf(pid), mib: memoryMib(pid) }))
        const notes = rows.toSorted((a, b) => b.mib - a.mib).map(({ name, mib }) => `${mib.toFixed(1)} MiB ${name}`)
        return { value: rows.reduce((sum, row) => sum + row.mib, 0), notes }
      }),
    ),
}
