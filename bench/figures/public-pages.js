import { formatNumber, median } from '../figure.js'
import { createApi } from '../generate/organization.js'
import { startChild } from '../parts/child.js'
import { addPeople, basicAuthorization } from '../parts/crowd.js'
import { OWNER, ownerKey, withData, withProduct } from '../parts/product.js'
import { measureSends } from '../parts/sending.js'

/** @import { Api } from '../generate/organization.js' @import { Read } from '../load/pages.js' */

const CHANNEL = 'open'
const SENDERS = 64
/** People who work while pages are requested. */
const WORKERS = 4
/** Enough sends for more pages than the cache holds. */
const FILL_SECONDS = 6
const TOPICS = 40
const MESSAGES_PER_PAGE = 50
const MAX_PAGES_PER_TOPIC = 20
const SAMPLE_PAGES = 16
const CONNECTIONS = 16
const MEASURED_SECONDS = 4
const ROUNDS = 3
const REQUESTS_PER_SECOND = 200
const WRITE_INTERVAL_MILLISECONDS = 50

const MIN_CACHED_RATIO = 0.5
const MAX_DELAY_RATIO = 1.3
const ENVIRONMENT = { PARLEY_WEB_PUBLIC_CHANNELS: 'on', PARLEY_LOG_LEVEL: 'warn' }

/** @typedef {{ name: string, authorization: string }} Sender */

/** @type {import('../figure.js').Figure} */
export const publicPages = {
  id: 'public-pages',
  name: `public pages of ${MESSAGES_PER_PAGE} messages per second while people write, against a server that writes the same bytes`,
  unit: 'pages/s',
  goal: { atLeast: 0.1 },
  measure: () =>
    withData(async (data) => {
      const people = await withProduct({ data, env: ENVIRONMENT }, (product) =>
        addPeople(product, SENDERS, { [CHANNEL]: SENDERS }),
      )
      const senders = people.map(({ name, email, key }) => ({ name, authorization: basicAuthorization(email, key) }))
      const { paths, rates } = await withProduct({ data, env: ENVIRONMENT }, async (product) => {
        const api = createApi(product.url, OWNER.email, await ownerKey(product))
        const filled = await fillChannel(product, senders, api)
        return { paths: filled, rates: await measurePages(product.url, filled, api) }
      })
      const delays = await measureDelays(data, paths, senders.slice(0, WORKERS))
      const cachedRatio = median(rates.cached) / median(rates.bare)
      const delayRatio = median(delays.beside) / median(delays.alone)
      return {
        value: median(rates.written),
        baseline: median(rates.bare),
        holds: cachedRatio >= MIN_CACHED_RATIO && delayRatio <= MAX_DELAY_RATIO,
        notes: [
          `not in memory: ${formatNumber(median(rates.made))} pages/s; ${paths.length} pages of ${formatNumber(rates.kibibytes)} KiB`,
          `cached: ${formatNumber(median(rates.cached))} pages/s, ratio ${formatNumber(cachedRatio)}`,
          `p99 of sends while an address requests ${REQUESTS_PER_SECOND} pages per second: ${formatNumber(median(delays.beside))} ms, ` +
            `alone ${formatNumber(median(delays.alone))} ms, ratio ${formatNumber(delayRatio)}`,
        ],
      }
    }),
}

/**
 * @param {import('../parts/product.js').Product} product @param {readonly Sender[]} senders @param {Api} api
 * @returns {Promise<string[]>} paths of pages; the first pages of all topics come first
 */
async function fillChannel(product, senders, api) {
  await api('PATCH', '/realm', { enable_spectator_access: 'true' })
  const { stream_id: id } = await api('GET', '/get_stream_id', { stream: CHANNEL })
  await api('PATCH', `/streams/${String(id)}`, { is_web_public: 'true' })
  const { sent } = await measureSends({
    crowds: [{ sendsTo: [product.url], senders }],
    channel: CHANNEL,
    seconds: FILL_SECONDS,
  })
  const perTopic = Math.min(MAX_PAGES_PER_TOPIC, Math.floor(sent / TOPICS / MESSAGES_PER_PAGE) - 1)
  return Array.from({ length: perTopic * TOPICS }, (_, index) => {
    const [topic, page] = [index % TOPICS, Math.floor(index / TOPICS) + 1]
    return `/public/${String(id)}/topic/topic%20${topic}${page === 1 ? '' : `?page=${page}`}`
  })
}

/** @param {string} url @param {readonly string[]} paths @param {Api} api */
async function measurePages(url, paths, api) {
  const sample = paths.slice(0, SAMPLE_PAGES)
  const bodies = await Promise.all(
    sample.map(async (path) => {
      const answer = await fetch(url + path)
      if (!answer.ok) throw new Error(`${path} answered with ${answer.status}`)
      return answer.text()
    }),
  )
  const pages = Object.fromEntries(bodies.map((body, index) => [`/${index}`, { type: 'text/html', body }]))
  const bareServer = startChild('bare/pages.js')
  try {
    /** @type {{ url: string }} */
    const { url: bareUrl } = await bareServer.ask({ pages, isPlain: true })
    const rates = {
      written: /** @type {number[]} */ ([]),
      made: /** @type {number[]} */ ([]),
      cached: /** @type {number[]} */ ([]),
      bare: /** @type {number[]} */ ([]),
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.bare.push((await readPages(bareUrl, Object.keys(pages))).perSecond)
      rates.made.push((await readPages(url, paths)).perSecond)
      rates.cached.push((await readPages(url, sample)).perSecond)
      const writing = setInterval(
        () => void api('POST', '/messages', { type: 'channel', to: CHANNEL, topic: 'topic 0', content: 'More' }),
        WRITE_INTERVAL_MILLISECONDS,
      )
      rates.written.push((await readPages(url, sample)).perSecond)
      clearInterval(writing)
    }
    const bytes = bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length
    return { ...rates, kibibytes: bytes / 1024 }
  } finally {
    await bareServer.stop()
  }
}

/**
 * Measures the 99th percentile of sends in milliseconds, under the default limits.
 * @param {string} data @param {readonly string[]} paths @param {readonly Sender[]} senders
 */
function measureDelays(data, paths, senders) {
  const env = { ...ENVIRONMENT, PARLEY_RATE_LIMITS: 'on', PARLEY_RATE_LIMIT_USER: '1000000/60' }
  return withProduct({ data, env }, async ({ url }) => {
    const work = { crowds: [{ sendsTo: [url], senders }], channel: CHANNEL, seconds: MEASURED_SECONDS }
    const measure = async () => (await measureSends(work)).milliseconds[1] ?? Number.NaN
    const [alone, beside] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])]
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(await measure())
      const reading = readPages(url, paths, REQUESTS_PER_SECOND, 2 * MEASURED_SECONDS)
      beside.push(await measure())
      await reading
    }
    return { alone, beside }
  })
}

/** @param {string} url @param {readonly string[]} paths @param {number} [perSecond] */
async function readPages(url, paths, perSecond, seconds = MEASURED_SECONDS) {
  const load = startChild('load/pages.js')
  try {
    /** @type {Read} */
    const read = await load.ask({ url, paths, connections: CONNECTIONS, seconds, perSecond })
    return read
  } finally {
    await load.stop()
  }
}
