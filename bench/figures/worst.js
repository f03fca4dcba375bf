import { quantile, formatNumber } from '../figure.js'
import { ENDPOINT_INDEPENDENT_REQUESTS } from '../worst/inputs.js'
import { measureRequests } from '../worst/measure.js'
import { withFilledOrganization } from '../worst/prepared.js'

const MAX_MEMORY_MIB = 64
const REPORTED_REQUESTS = 12

/** Lets parts/holds.js collect garbage, because garbage does not count as a request's memory. */
const EXPOSE_GC = ['--expose-gc']

/** @type {import('../figure.js').Figure} */
export const worst = {
  id: 'worst',
  name: 'longest time the worst known request holds the event loop, against a fixed task; 10,000 people, 500 channels, every limit reached',
  unit: 'ms',
  goal: { atMost: 1 },
  async measure() {
    return withFilledOrganization(async (data, known) => {
      const requests = [...ENDPOINT_INDEPENDENT_REQUESTS.map((one) => ({ endpoint: 'any', ...one })), ...known]
      const { seen, fixed } = await measureRequests(data, requests)
      const large = seen.filter(({ mib }) => mib > MAX_MEMORY_MIB)
      const isLarge = (/** @type {{ endpoint: string, what: string }} */ asked) =>
        large.some((one) => one.endpoint === asked.endpoint && one.what === asked.what)
      const { seen: collected } = await measureRequests(data, requests.filter(isLarge), EXPOSE_GC)
      const byHold = seen.toSorted((a, b) => b.held - a.held)
      const byMemory = collected.toSorted((a, b) => b.mib - a.mib)
      const failed = seen.filter(({ status }) => status >= 500)
      return {
        value: byHold[0]?.held ?? 0,
        baseline: quantile(fixed, 0.5),
        holds: (byMemory[0]?.mib ?? 0) <= MAX_MEMORY_MIB,
        failures: failed.map((one) => `status ${one.status}: ${formatRequest(one)}`),
        notes: [
          ...byHold.slice(0, REPORTED_REQUESTS).map((one) => `${formatNumber(one.held)} ms: ${formatRequest(one)}`),
          ...byMemory
            .slice(0, REPORTED_REQUESTS)
            .map((one) => `${formatNumber(one.mib)} MiB, at most ${MAX_MEMORY_MIB}: ${formatRequest(one)}`),
          `${seen.length} requests; fixed task ${fixed.map(formatNumber).join(', ')} ms`,
        ],
      }
    })
  },
}

/** @param {import('../worst/measure.js').Seen} seen */
function formatRequest({ endpoint, what, status, bytes, wall }) {
  return `${endpoint}, ${what} (${status}, ${Math.round(bytes / 1024)} KiB, ${Math.round(wall)} ms elapsed)`
}
