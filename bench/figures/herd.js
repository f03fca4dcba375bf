import { quantile, formatNumber } from '../figure.js'
import { responseTimes, withLoad } from '../parts/load.js'
import { ensureOrganization } from '../parts/organizations.js'
import { withProduct } from '../parts/product.js'
import { REGISTRATION_PARAMETERS } from './register.js'

const RECONNECTING_CLIENTS = 100
const CLIENTS_MEASURED_ALONE = 15
/** Number of restarts; the median counts, because other processes share the machine. */
const RESTARTS = 5
const ORGANIZATION_SIZE = { users: 1_000, channels: 100, messages: 100_000, longTopic: 0, seed: 2 }

/** Requests that a client sends after losing its connection: for a new queue, and for the newest messages. */
const RECONNECT_REQUESTS = [
  { method: 'POST', path: '/register', fields: REGISTRATION_PARAMETERS, gzip: true },
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
  name: 'time until 100 clients that reconnect at once after a restart have their newest 400 messages, against 100 times one client; 1,000 people',
  unit: 'ms',
  goal: { atMost: 0.7 },
  async measure() {
    const { data, landmarks } = await ensureOrganization(ORGANIZATION_SIZE)
    const env = { PARLEY_LOG_LEVEL: 'warn' }
    const clients = landmarks.others
      .slice(0, RECONNECTING_CLIENTS)
      .map(({ email, key }) => ({ email, key, requests: RECONNECT_REQUESTS }))
    return withLoad(async (load) => {
      // The first start on new data is not measured.
      await withProduct({ data, env }, (product) => load.ask(product.url, clients.slice(0, 1)))
      const beginning = await withProduct({ data, env }, async (product) => {
        const first = await load.ask(product.url, clients.slice(0, 1))
        responseTimes(first)
        return first.milliseconds
      })
      /**
       * `alone` and `p95`: median and 95th percentile of the time in which a client reconnects alone, in milliseconds.
       * @type {{ milliseconds: number, alone: number, p95: number, cores: number, answers: number, bytes: number }[]}
       */
      const herds = []
      for (let restart = 0; restart < RESTARTS; restart += 1) {
        await withProduct({ data, env }, async (product) => {
          const all = await load.ask(product.url, clients)
          responseTimes(all)
          const alone = []
          for (const client of clients.slice(0, CLIENTS_MEASURED_ALONE)) {
            const one = await load.ask(product.url, [client])
            responseTimes(one)
            alone.push(one.milliseconds)
          }
          herds.push({
            milliseconds: all.milliseconds,
            alone: quantile(alone, 0.5),
            p95: quantile(alone, 0.95),
            cores: all.cores,
            answers: all.answers.length,
            bytes: all.answers.reduce((sum, { bytes }) => sum + bytes, 0),
          })
        })
      }
      /** @param {(herd: typeof herds[number]) => number} figure */
      const median = (figure) => quantile(herds.map(figure), 0.5)
      return {
        value: median(({ milliseconds }) => milliseconds),
        baseline: median(({ alone }) => alone) * RECONNECTING_CLIENTS,
        ratio: median(({ milliseconds, alone }) => milliseconds / (alone * RECONNECTING_CLIENTS)),
        notes: [
          `each herd ${herds.map(({ milliseconds }) => formatNumber(milliseconds)).join(', ')} ms`,
          `one client: p50 ${formatNumber(median(({ alone }) => alone))} ms, p95 ${formatNumber(median(({ p95 }) => p95))} ms; first after a restart: ${formatNumber(beginning)} ms`,
          `${herds.reduce((sum, { answers }) => sum + answers, 0)} successful responses, ${Math.round(median(({ bytes }) => bytes) / 1024 / RECONNECTING_CLIENTS)} KiB per client`,
          `load process: ${formatNumber(median(({ cores }) => cores))} of a core`,
        ],
      }
    })
  },
}
