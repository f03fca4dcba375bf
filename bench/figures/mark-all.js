import { quantile } from '../figure.js'
import { responseTimes, withLoad } from '../parts/load.js'
import { LARGE_ORGANIZATION, ensureOrganization } from '../parts/organizations.js'
import { withProduct } from '../parts/product.js'

/** Number of people whose requests only warm up the server and do not count. */
const WARM_UP_ROUNDS = 4

/** @type {import('../figure.js').Figure} */
export const markAll = {
  id: 'mark-all',
  name: 'marking 50,000 unread messages as read, against marking one',
  unit: 'ms',
  goal: { atMost: 5 },
  async measure() {
    const { data, landmarks } = await ensureOrganization(LARGE_ORGANIZATION)
    return withProduct({ data, env: { PARLEY_LOG_LEVEL: 'warn' } }, (product) =>
      withLoad(async (load) => {
        const one = {
          method: 'POST',
          path: '/messages/flags',
          fields: { op: 'add', flag: 'read', messages: JSON.stringify([landmarks.shortTopic.newest]) },
        }
        const all = { method: 'POST', path: '/mark_all_as_read' }
        const [ofOne, ofAll] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])]
        let cores = 0
        for (const { email, key } of landmarks.behind) {
          const asked = await load.ask(product.url, [{ email, key, requests: [one, all] }])
          const [first = 0, second = 0] = responseTimes(asked)
          ofOne.push(first)
          ofAll.push(second)
          cores = Math.max(cores, asked.cores)
        }
        const [values, baselines] = [ofAll.slice(WARM_UP_ROUNDS), ofOne.slice(WARM_UP_ROUNDS)]
        return {
          value: quantile(values, 0.5),
          baseline: quantile(baselines, 0.5),
          notes: [
            `p95 ${quantile(values, 0.95).toFixed(1)} ms against ${quantile(baselines, 0.95).toFixed(1)} ms; ${landmarks.behindBy} unread each`,
            `load process: at most ${cores.toFixed(2)} of a core`,
          ],
        }
      }),
    )
  },
}
