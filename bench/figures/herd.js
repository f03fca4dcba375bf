import { quantile } from '../figure.js'
import { timesOf, withLoad } from '../parts/load.js'
import { organizationOf } from '../parts/organizations.js'
import { withProduct } from '../parts/product.js'
import { EVERYTHING } from './register.js'

const CLIENTS = 100
const ALONE = 15
const SIZE = { users: 1_000, channels: 100, messages: 100_000, longTopic: 0, seed: 2 }

/** What a client does that has lost its connection: a new queue, and what is new. */
const RECONNECTING = [
  { method: 'POST', path: '/register', fields: EVERYTHING, gzip: true },
  {
    method: 'GET',
    path: '/messages',
    fields: { anchor: 'newest', num_before: '400', num_after: '0', apply_markdown: 'true', narrow: '[]' },
    gzip: true,
  },
]

/** @type {import('../figure.js').Figure} */
export const herd = {
  id: 'herd',
  name: '100 clients reconnecting at once after a restart, in an organization of 1,000: until the last one has its newest 400 messages; against 100 times one alone',
  unit: 'ms',
  goal: { atMost: 0.7 },
  async measure() {
    const { data, landmarks } = await organizationOf(SIZE)
    const env = { PARLEY_LOG_LEVEL: 'warn' }
    const clients = landmarks.others.slice(0, CLIENTS).map(({ email, key }) => ({ email, key, requests: RECONNECTING }))
    return withLoad(async (load) => {
      // As it was before: the restart is what is measured, not the first start on new data.
      await withProduct({ data, env }, (product) => load.ask(product.url, clients.slice(0, 1)))
      const beginning = await withProduct({ data, env }, async (product) => {
        const first = await load.ask(product.url, clients.slice(0, 1))
        timesOf(first)
        return first.milliseconds
      })
      return withProduct({ data, env }, async (product) => {
        const all = await load.ask(product.url, clients)
        timesOf(all)
        /** @type {number[]} */
        const alone = []
        for (const client of clients.slice(0, ALONE)) {
          const one = await load.ask(product.url, [client])
          timesOf(one)
          alone.push(one.milliseconds)
        }
        return {
          value: all.milliseconds,
          baseline: quantile(alone, 0.5) * CLIENTS,
          notes: [
            `one alone: p50 ${quantile(alone, 0.5).toFixed(1)} ms, p95 ${quantile(alone, 0.95).toFixed(1)} ms; as the first after a restart: ${beginning.toFixed(0)} ms`,
            `${all.answers.length} answers without an error, ${Math.round(all.answers.reduce((sum, { bytes }) => sum + bytes, 0) / 1024 / CLIENTS)} KiB for each client`,
            `load process: ${all.cores.toFixed(2)} of a core`,
          ],
        }
      })
    })
  },
}
