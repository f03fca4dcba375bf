import { short, quantile } from '../figure.js'
import { startChild } from '../parts/child.js'
import { addPeople, basic } from '../parts/crowd.js'
import { commandOf, cpuSeconds } from '../parts/processes.js'
import { withData, withProduct } from '../parts/product.js'

/** @typedef {import('../load/senders.js').Options} Options */
/** @typedef {import('../load/senders.js').Sending} Sending */

const SENDERS = 64
/** The median of several, in turns: others use the machine too. */
const ROUNDS = 5
const WARM_SECONDS = 3
const SECONDS = 5
/** Before the first round: V8 compiles what is used often for a hundred thousand sends. */
const COMPILING_SECONDS = 15

/** @type {import('../figure.js').Figure} */
export const send = {
  id: 'send',
  name: `sends per second of ${SENDERS} senders to an organization, with one reader, against a server that only parses the form`,
  unit: 'sends/s',
  goal: { atLeast: 0.2 },
  measure: () =>
    withData(async (data) => {
      const people = await populate(data, SENDERS + 1, { talk: SENDERS + 1 })
      const senders = people.slice(0, SENDERS)
      return withProduct({ data }, (product) =>
        withBare(async (bareUrl) => {
          /** @type {Sending[]} */
          const ours = []
          /** @type {Sending[]} */
          const bare = []
          const reader = people.at(-1)?.authorization ?? ''
          await sending({ url: bareUrl, senders, channel: 'talk', seconds: COMPILING_SECONDS })
          await sending({ url: product.url, senders, channel: 'talk', reader, seconds: COMPILING_SECONDS })
          const spent = new Map(product.processes().map((pid) => [pid, cpuSeconds(pid)]))
          for (let round = 0; round < ROUNDS; round += 1) {
            bare.push(await sending({ url: bareUrl, senders, channel: 'talk' }))
            ours.push(await sending({ url: product.url, senders, channel: 'talk', reader }))
          }
          return {
            value: median(ours),
            baseline: median(bare),
            ratio: medianOfRatios(ours, bare),
            holds: ours.every(({ read, sent, refused }) => read === sent && refused === 0),
            notes: [...notesOf('product', ours), ...notesOf('bare server', bare), ...processors(product, spent, ours)],
          }
        }),
      )
    }),
}

const WIDE = 10_000
const NARROW = 10

/** @type {import('../figure.js').Figure} */
export const sendWide = {
  id: 'send-wide',
  name: `sends per second to a channel of ${WIDE} subscribers, none online, against one of ${NARROW}`,
  unit: 'sends/s',
  goal: { atLeast: 0.85 },
  measure: () =>
    withData(async (data) => {
      const people = await populate(data, WIDE, { wide: WIDE, narrow: NARROW })
      const senders = people.slice(0, SENDERS)
      return withProduct({ data }, async ({ url }) => {
        await sending({ url, senders, channel: 'narrow' })
        /** @type {Sending[]} */
        const wide = []
        /** @type {Sending[]} */
        const narrow = []
        for (let round = 0; round < ROUNDS; round += 1) {
          // In turns, so that what grows with the number of messages weighs on both.
          wide.push(await sending({ url, senders, channel: 'wide' }))
          narrow.push(await sending({ url, senders, channel: 'narrow' }))
        }
        return {
          value: median(wide),
          baseline: median(narrow),
          ratio: medianOfRatios(wide, narrow),
          holds: [...wide, ...narrow].every(({ refused }) => refused === 0),
          notes: [...notesOf(`${WIDE} subscribers`, wide), ...notesOf(`${NARROW} subscribers`, narrow)],
        }
      })
    }),
}

/**
 * Starts the product once, and leaves it with people and channels.
 * @param {string} data
 * @param {number} count
 * @param {Readonly<Record<string, number>>} channels subscribers by name
 */
async function populate(data, count, channels) {
  const people = await withProduct({ data }, (product) => addPeople(product, count, channels))
  return people.map(({ name, email, key }) => ({ name, authorization: basic(email, key) }))
}

/**
 * @template T
 * @param {(url: string) => Promise<T>} use
 */
async function withBare(use) {
  const bare = startChild('bare/form.js')
  try {
    /** @type {{ url: string }} */
    const { url } = await bare.ask({})
    return await use(url)
  } finally {
    await bare.stop()
  }
}

/** @param {Omit<Options, 'warmSeconds' | 'seconds'> & { seconds?: number }} options */
async function sending({ seconds = SECONDS, ...options }) {
  const load = startChild('load/senders.js')
  try {
    /** @type {Sending} */
    const sent = await load.ask({ ...options, warmSeconds: WARM_SECONDS, seconds })
    return sent
  } finally {
    await load.stop()
  }
}

/** @param {readonly Sending[]} rounds */
function median(rounds) {
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
function medianOfRatios(rounds, others) {
  return quantile(
    rounds.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? 0)),
    0.5,
  )
}

/** @param {string} what @param {readonly Sending[]} rounds */
function notesOf(what, rounds) {
  return rounds.map(
    ({ perSecond, core, milliseconds, read, sent, refused }) =>
      `${what}: ${short(perSecond)} sends/s, answered in ${milliseconds.map(short).join(' ms, 99 % in ')} ms; ` +
      `the load took ${short(core)} of a core${read > 0 ? `; read ${read} of ${sent}` : ''}${refused > 0 ? `; refused ${refused}` : ''}`,
  )
}

/**
 * What a send costs, by process.
 * @param {import('../parts/product.js').Product} product
 * @param {ReadonlyMap<number, number>} before
 * @param {readonly Sending[]} rounds
 */
function processors({ processes }, before, rounds) {
  const sent = rounds.reduce((sum, round) => sum + round.sent, 0)
  return processes()
    .map((pid) => ({ name: commandOf(pid), perSend: ((cpuSeconds(pid) - (before.get(pid) ?? 0)) / sent) * 1e6 }))
    .filter(({ perSend }) => perSend >= 1)
    .map(({ name, perSend }) => `${short(perSend)} µs of processor time for each send: ${name}`)
}
