import { setTimeout as sleep } from 'node:timers/promises'
import { formatNumber } from '../figure.js'
import { startChild } from '../parts/child.js'
import { addPeople, basicAuthorization, requireFileDescriptors, registerQueues } from '../parts/crowd.js'
import { commandLineOf, cpuSeconds } from '../parts/processes.js'
import { OWNER, ownerKey, withData, withProduct } from '../parts/product.js'
import { waitUntilIdle } from '../parts/quiet.js'

const READERS = 1_000
/** Longer than the heartbeat interval, so that every reader gets a heartbeat. */
const MEASURED_SECONDS = 65
const NOTABLE_CPU_PERCENT = 0.05

/** @type {import('../figure.js').Figure} */
export const idleCpu = {
  id: 'idle-cpu',
  name: `CPU of server and database with ${READERS} parked polls and heartbeats only`,
  unit: '% of a core',
  goal: { atMost: 2 },
  async measure() {
    requireFileDescriptors(READERS)
    return withData(async (data) => {
      const people = await withProduct({ data }, (product) => addPeople(product, READERS))
      return withProduct({ data }, async (product) => {
        const readers = await registerQueues(product.url, people)
        const load = startChild('load/polls.js')
        try {
          const sender = basicAuthorization(OWNER.email, await ownerKey(product))
          await load.ask({ do: 'open', url: product.url, readers, sender })
          await waitUntilIdle(product.pid)
          const before = new Map(product.processes().map((pid) => [pid, cpuSeconds(pid)]))
          await sleep(MEASURED_SECONDS * 1000)
          const rows = product.processes().map((pid) => ({
            name: commandLineOf(pid),
            percent: ((cpuSeconds(pid) - (before.get(pid) ?? 0)) / MEASURED_SECONDS) * 100,
          }))
          return {
            value: rows.reduce((sum, { percent }) => sum + percent, 0),
            notes: rows
              .filter(({ percent }) => percent >= NOTABLE_CPU_PERCENT)
              .map(({ name, percent }) => `${formatNumber(percent)} % ${name}`),
          }
        } finally {
          await load.stop()
        }
      })
    })
  },
}
