import { formatNumber } from '../figure.js'
import { startChild } from '../parts/child.js'
import { addPeople, basicAuthorization } from '../parts/crowd.js'
import { commandLineOf, cpuSeconds } from '../parts/processes.js'
import { withData, withProduct } from '../parts/product.js'
import { JIT_WARM_UP_SECONDS, medianRate, medianRateRatio, measureSends } from '../parts/sending.js'

/** @import { Sending } from '../load/senders.js' @import { Product } from '../parts/product.js' */

const SENDERS = 64
const ROUNDS = 5

/** @type {import('../figure.js').Figure} */
export const send = {
  id: 'send',
  name: `sends per second, ${SENDERS} senders and one reader, against a server that only parses the form`,
  unit: 'sends/s',
  goal: { atLeast: 0.2 },
  measure: () =>
    withData(async (data) => {
      const people = await populateChannels(data, SENDERS + 1, { talk: SENDERS + 1 })
      const senders = people.slice(0, SENDERS)
      return withProduct({ data }, (product) =>
        withBareServer(async (bareUrl) => {
          const ours = []
          const bare = []
          const reader = people.at(-1)?.authorization ?? ''
          const toBare = { crowds: [{ sendsTo: [bareUrl], senders }], channel: 'talk' }
          const asks = [product.url]
          const toOurs = {
            crowds: [{ sendsTo: asks, senders, reader: { authorization: reader, asks } }],
            channel: 'talk',
          }
          await measureSends({ ...toBare, seconds: JIT_WARM_UP_SECONDS })
          await measureSends({ ...toOurs, seconds: JIT_WARM_UP_SECONDS })
          const spent = new Map(product.processes().map((pid) => [pid, cpuSeconds(pid)]))
          for (let round = 0; round < ROUNDS; round += 1) {
            bare.push(await measureSends(toBare))
            ours.push(await measureSends(toOurs))
          }
          return {
            value: medianRate(ours),
            baseline: medianRate(bare),
            ratio: medianRateRatio(ours, bare),
            holds: ours.every(({ read, sent, refused }) => read === sent && refused === 0),
            notes: [
              ...describeRounds('product', ours),
              ...describeRounds('bare server', bare),
              ...describeCpuTime(product, spent, ours),
            ],
          }
        }),
      )
    }),
}

const MANY_SUBSCRIBERS = 10_000
const FEW_SUBSCRIBERS = 10

/** @type {import('../figure.js').Figure} */
export const sendWide = {
  id: 'send-wide',
  name: `sends per second to a channel of ${MANY_SUBSCRIBERS} subscribers, none online, against one of ${FEW_SUBSCRIBERS}`,
  unit: 'sends/s',
  goal: { atLeast: 0.85 },
  measure: () =>
    withData(async (data) => {
      const people = await populateChannels(data, MANY_SUBSCRIBERS, { wide: MANY_SUBSCRIBERS, narrow: FEW_SUBSCRIBERS })
      const senders = people.slice(0, SENDERS)
      return withProduct({ data }, async ({ url }) => {
        const crowds = [{ sendsTo: [url], senders }]
        await measureSends({ crowds, channel: 'narrow' })
        const wide = []
        const narrow = []
        for (let round = 0; round < ROUNDS; round += 1) {
          // Alternates between the channels, so that the growing number of messages affects both equally.
          wide.push(await measureSends({ crowds, channel: 'wide' }))
          narrow.push(await measureSends({ crowds, channel: 'narrow' }))
        }
        return {
          value: medianRate(wide),
          baseline: medianRate(narrow),
          ratio: medianRateRatio(wide, narrow),
          holds: [...wide, ...narrow].every(({ refused }) => refused === 0),
          notes: [
            ...describeRounds(`${MANY_SUBSCRIBERS} subscribers`, wide),
            ...describeRounds(`${FEW_SUBSCRIBERS} subscribers`, narrow),
          ],
        }
      })
    }),
}

/** @param {string} data @param {number} count @param {Readonly<Record<string, number>>} channels subscriber counts */
async function populateChannels(data, count, channels) {
  const people = await withProduct({ data }, (product) => addPeople(product, count, channels))
  return people.map(({ name, email, key }) => ({ name, authorization: basicAuthorization(email, key) }))
}

/** @template T @param {(url: string) => Promise<T>} use */
async function withBareServer(use) {
  const bare = startChild('bare/form.js')
  try {
    /** @type {{ url: string }} */
    const { url } = await bare.ask({})
    return await use(url)
  } finally {
    await bare.stop()
  }
}

/** @param {string} what @param {readonly Sending[]} rounds */
function describeRounds(what, rounds) {
  return rounds.map(
    ({ perSecond, core, milliseconds, read, sent, refused }) =>
      `${what}: ${formatNumber(perSecond)} sends/s, median ${milliseconds.map(formatNumber).join(' ms, p99 ')} ms; ` +
      `load process: ${formatNumber(core)} of a core${read > 0 ? `; read ${read} of ${sent}` : ''}${refused > 0 ? `; refused ${refused}` : ''}`,
  )
}

/** @param {Product} product @param {ReadonlyMap<number, number>} before @param {readonly Sending[]} rounds */
function describeCpuTime({ processes }, before, rounds) {
  const sent = rounds.reduce((sum, round) => sum + round.sent, 0)
  return processes()
    .map((pid) => ({ name: commandLineOf(pid), perSend: ((cpuSeconds(pid) - (before.get(pid) ?? 0)) / sent) * 1e6 }))
    .filter(({ perSend }) => perSend >= 1)
    .map(({ name, perSend }) => `${formatNumber(perSend)} µs of CPU per send: ${name}`)
}
