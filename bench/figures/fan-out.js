import { quantile, formatNumber } from '../figure.js'
import { FORM } from '../parts/crowd.js'
import { withReaders } from '../parts/parked.js'
import { waitUntilIdle } from '../parts/quiet.js'

const READERS = 10_000
/** Rounds that do not count, because they trigger JIT compilation. */
const WARM_UP_ROUNDS = 3
/** Rounds alternate between product and baseline; the median counts, because other processes share the machine. */
const ROUNDS = 15

/** @typedef {{ milliseconds: number, share: number }} Round `share`: CPU share of the load process */

/** @type {import('../figure.js').Figure} */
export const fanOut = {
  id: 'fan-out',
  name: 'time until 10,000 parked polls of as many users have received one message',
  unit: 'ms',
  goal: { atMost: 1.5 },
  measure: () => measureRound(false),
}

/** @type {import('../figure.js').Figure} */
export const streamFanOut = {
  id: 'stream-fan-out',
  name: 'time until 10,000 streams of as many users have received one message',
  unit: 'ms',
  goal: { atMost: 1.3 },
  measure: () => measureRound(true),
}

/** @param {boolean} streams @returns {Promise<import('../figure.js').Measurement>} */
function measureRound(streams) {
  return withReaders(
    READERS,
    async ({ product, bare }) => {
      await product.park()
      await bare.park()
      /** @type {Round[]} */
      const rounds = []
      /** @type {Round[]} */
      const bareRounds = []
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
        for (const [side, results] of /** @type {const} */ ([
          [bare, bareRounds],
          [product, rounds],
        ])) {
          /** @type {Round} */
          const result = await side.ask({ do: 'fan-out', form: FORM })
          if (round >= 0) results.push(result)
          await waitUntilIdle(side.pid)
        }
      }
      return {
        value: median(rounds),
        baseline: median(bareRounds),
        // Compares adjacent rounds, because the machine's load varies from second to second.
        ratio: quantile(
          rounds.map(({ milliseconds }, round) => milliseconds / (bareRounds[round]?.milliseconds ?? 0)),
          0.5,
        ),
        notes: [`product: ${describeRounds(rounds)}`, `bare: ${describeRounds(bareRounds)}`],
      }
    },
    { streams },
  )
}

/** @param {readonly Round[]} rounds */
function median(rounds) {
  return quantile(
    rounds.map(({ milliseconds }) => milliseconds),
    0.5,
  )
}

/** @param {readonly Round[]} rounds */
function describeRounds(rounds) {
  const each = rounds.map(({ milliseconds }) => formatNumber(milliseconds)).join(', ')
  const share = quantile(
    rounds.map((round) => round.share),
    0.5,
  )
  return `each round ${each} ms; load process: ${Math.round(100 * share)}% of a core`
}
