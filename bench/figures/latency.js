import { quantile, formatNumber } from '../figure.js'
import { FORM } from '../parts/crowd.js'
import { withReaders } from '../parts/parked.js'
import { cpuSeconds } from '../parts/processes.js'

const READERS = 1_000
const MESSAGES_PER_SECOND = 20
const WARM_UP_MESSAGES = 40
const MESSAGES = 100
const ROUNDS = 5

/**
 * Times in milliseconds. `share`: CPU share of the load process; `cpuSeconds`: CPU time of the server.
 * @typedef {{ median: number, p99: number, most: number, share: number, answers: number, cpuSeconds: number }} Flow
 */

/** @type {import('../figure.js').Figure} */
export const latency = {
  id: 'latency',
  name: 'time from send to delivery, 99th percentile, 1,000 polling readers, 20 messages a second',
  unit: 'ms',
  goal: { atMost: 3 },
  measure: () => compareLatencies(false),
}

/** @type {import('../figure.js').Figure} */
export const streamLatency = {
  id: 'stream-latency',
  name: 'time from send to delivery, 99th percentile, 1,000 streaming readers, 20 messages a second',
  unit: 'ms',
  goal: { atMost: 2 },
  measure: () => compareLatencies(true),
}

/** @param {boolean} streams @returns {Promise<import('../figure.js').Measurement>} */
function compareLatencies(streams) {
  return withReaders(
    READERS,
    async ({ product, bare }) => {
      await product.park()
      await bare.park()
      const flows = []
      /** @type {Flow[]} */
      const bareFlows = []
      for (let round = 0; round < ROUNDS; round += 1) {
        bareFlows.push(await measureLatencies(bare))
        flows.push(await measureLatencies(product))
      }
      return {
        value: quantile(
          flows.map(({ p99 }) => p99),
          0.5,
        ),
        baseline: quantile(
          bareFlows.map(({ p99 }) => p99),
          0.5,
        ),
        ratio: quantile(
          flows.map(({ p99 }, round) => p99 / (bareFlows[round]?.p99 ?? 0)),
          0.5,
        ),
        notes: [`product: ${describeLatencies(flows)}`, `bare: ${describeLatencies(bareFlows)}`],
      }
    },
    { streams },
  )
}

/** @param {import('../parts/parked.js').Side} side @returns {Promise<Flow>} */
async function measureLatencies({ pid, ask }) {
  const before = cpuSeconds(pid)
  /** @type {Omit<Flow, 'cpuSeconds'>} */
  const result = await ask({
    do: 'flow',
    form: FORM,
    perSecond: MESSAGES_PER_SECOND,
    warmUp: WARM_UP_MESSAGES,
    count: MESSAGES,
  })
  return { ...result, cpuSeconds: cpuSeconds(pid) - before }
}

/** @param {readonly Flow[]} flows */
function describeLatencies(flows) {
  const p99s = flows.map(({ p99 }) => formatNumber(p99)).join(', ')
  const median = quantile(
    flows.map((flow) => flow.median),
    0.5,
  )
  const share = quantile(
    flows.map((flow) => flow.share),
    0.5,
  )
  const microseconds = quantile(
    flows.map((one) => (1_000_000 * one.cpuSeconds) / one.answers),
    0.5,
  )
  const answers = quantile(
    flows.map((one) => one.answers),
    0.5,
  )
  return (
    `median ${formatNumber(median)} ms; p99 of each round ${p99s} ms; ${Math.round(answers)} responses at ` +
    `${formatNumber(microseconds)} µs of CPU; load process: ${Math.round(100 * share)}% of a core`
  )
}
