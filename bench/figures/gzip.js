import { quantile, formatNumber } from '../figure.js'
import { responseTimes, withLoad } from '../parts/load.js'
import { ensureOrganization, SMALL_ORGANIZATION } from '../parts/organizations.js'
import { cpuSeconds } from '../parts/processes.js'
import { withProduct } from '../parts/product.js'

/** @import { Asked } from '../parts/load.js' */

/** Requests per round, sent one after another, so that the server's CPU time for them can be measured. */
const REQUESTS_PER_ROUND = 100
const ROUNDS = 5
/** Number of concurrent requests in which one account lists all users while another account reads messages. */
const CONCURRENT_USER_LISTS = 16
const MAX_BYTES_RATIO = 1 / 3

const NEWEST_MESSAGES = {
  method: 'GET',
  path: '/messages',
  fields: { anchor: 'newest', num_before: '100', num_after: '0', apply_markdown: 'true', narrow: '[]' },
}
const ALL_USERS = { method: 'GET', path: '/users', gzip: true }

/** @type {import('../figure.js').Figure} */
export const gzip = {
  id: 'gzip',
  name: `100 messages, compressed, against uncompressed: p50 among ${SMALL_ORGANIZATION.users} people`,
  unit: 'ms',
  goal: { atMost: 1.5 },
  async measure() {
    const { data, landmarks } = await ensureOrganization(SMALL_ORGANIZATION)
    return withProduct({ data, env: { PARLEY_LOG_LEVEL: 'warn' } }, (product) =>
      withLoad(async (load) => {
        const { active, others } = landmarks
        /** @param {Asked} asked @param {number} count */
        const measured = async (asked, count) => {
          const before = cpuSeconds(product.pid)
          const requests = Array.from({ length: count }, () => asked)
          const loaded = await load.ask(product.url, [{ email: active.email, key: active.key, requests }])
          const processor = ((cpuSeconds(product.pid) - before) / count) * 1_000
          return { p50: quantile(responseTimes(loaded), 0.5), processor, bytes: loaded.answers.at(-1)?.bytes ?? 0 }
        }
        /** @param {Asked} asked @param {number} count */
        const bothWays = async (asked, count) => {
          const [compressed, plain] = [/** @type {Way[]} */ ([]), /** @type {Way[]} */ ([])]
          for (let round = -1; round < ROUNDS; round += 1) {
            const [one, other] = [await measured({ ...asked, gzip: true }, count), await measured(asked, count)]
            if (round < 0) continue
            compressed.push(one)
            plain.push(other)
          }
          return /** @type {const} */ ([medianMeasurement(compressed), medianMeasurement(plain)])
        }
        const [compressed, plain] = await bothWays(NEWEST_MESSAGES, REQUESTS_PER_ROUND)
        const everyone = await bothWays(ALL_USERS, 3)

        const [reader] = others
        if (reader === undefined) throw new Error('nobody else reads')
        const reading = {
          ...reader,
          requests: Array.from({ length: REQUESTS_PER_ROUND }, () => ({ ...NEWEST_MESSAGES, gzip: true })),
        }
        const alone = responseTimes(await load.ask(product.url, [reading]))
        const greedy = { email: active.email, key: active.key, requests: Array.from({ length: 4 }, () => ALL_USERS) }
        const crowd = await load.ask(product.url, [
          reading,
          ...Array.from({ length: CONCURRENT_USER_LISTS }, () => greedy),
        ])
        const beside = responseTimes({ ...crowd, answers: crowd.answers.filter(({ client }) => client === 0) })
        return {
          value: compressed.p50,
          baseline: plain.p50,
          holds: compressed.bytes <= plain.bytes * MAX_BYTES_RATIO,
          notes: [
            `100 messages: ${describeMeasurement(compressed)} against ${describeMeasurement(plain)}`,
            `all people: ${everyone.map(describeMeasurement).join(' against ')}`,
            `100 messages while one account makes ${CONCURRENT_USER_LISTS} simultaneous requests for all people: p50 ${formatNumber(quantile(beside, 0.5))} ms, slowest ${formatNumber(Math.max(...beside))}; alone ${formatNumber(quantile(alone, 0.5))}, ${formatNumber(Math.max(...alone))}`,
          ],
        }
      }),
    )
  },
}

/** @typedef {{ p50: number, processor: number, bytes: number }} Way `processor`: CPU ms per response */

/** @param {readonly Way[]} rounds @returns {Way} */
function medianMeasurement(rounds) {
  /** @param {(way: Way) => number} figure */
  const median = (figure) => quantile(rounds.map(figure), 0.5)
  return {
    p50: median(({ p50 }) => p50),
    processor: median(({ processor }) => processor),
    bytes: rounds[0]?.bytes ?? 0,
  }
}

/** @param {Way} way */
function describeMeasurement({ p50, processor, bytes }) {
  return `${formatNumber(p50)} ms, ${formatNumber(processor)} ms of server CPU, ${formatNumber(bytes / 1024)} KiB`
}
