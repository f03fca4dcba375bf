/*
 * Rounds of `load/senders.js`, each by a process of its own.
 */
import { quantile } from '../figure.js'
import { startChild } from './child.js'

/** @typedef {import('../load/senders.js').Options} Options */
/** @typedef {import('../load/senders.js').Sending} Sending */

const WARM_SECONDS = 3
const SECONDS = 5
/** Before the first round: V8 compiles what is used often for a hundred thousand sends. */
export const COMPILING_SECONDS = 15

/** Sends for some seconds. @param {Omit<Options, 'warmSeconds' | 'seconds'> & { seconds?: number }} options */
export async function sending({ seconds = SECONDS, ...options }) {
  const load = startChild('load/senders.js')
  try {
    /** @type {Sending} */
    const sent = await load.ask({ ...options, warmSeconds: WARM_SECONDS, seconds })
    return sent
  } finally {
    await load.stop()
  }
}

/** Sends a second. @param {readonly Sending[]} rounds */
export function median(rounds) {
  return quantile(
    rounds.map(({ perSecond }) => perSecond),
    0.5,
  )
}

/**
 * Of neighbours in time: what else the machine does changes from second to second.
 * @param {readonly Sending[]} rounds
 * @param {readonly Sending[]} others
 */
export function medianOfRatios(rounds, others) {
  return quantile(
    rounds.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? 0)),
    0.5,
  )
}
