/* Rounds of `load/senders.js`, each in a new process. */
import { quantile } from '../figure.js'
import { startChild } from './child.js'

/** @import { Options, Sending } from '../load/senders.js' */

const WARM_UP_SECONDS = 3
const MEASURED_SECONDS = 5
/** Time for about 100,000 sends, during which V8 optimizes hot code. */
export const JIT_WARM_UP_SECONDS = 15

/** @param {Omit<Options, 'warmSeconds' | 'seconds'> & { seconds?: number }} options */
export async function measureSends({ seconds = MEASURED_SECONDS, ...options }) {
  const load = startChild('load/senders.js')
  try {
    /** @type {Sending} */
    const sent = await load.ask({ ...options, warmSeconds: WARM_UP_SECONDS, seconds })
    return sent
  } finally {
    await load.stop()
  }
}

/** Median of the sends per second. @param {readonly Sending[]} rounds */
export function medianRate(rounds) {
  return quantile(
    rounds.map(({ perSecond }) => perSecond),
    0.5,
  )
}

/** Compares each pair of adjacent rounds. @param {readonly Sending[]} rounds @param {readonly Sending[]} others */
export function medianRateRatio(rounds, others) {
  return quantile(
    rounds.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? 0)),
    0.5,
  )
}
