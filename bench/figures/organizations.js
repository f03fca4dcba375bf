import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile, formatNumber } from '../figure.js'
import { copyOrganization, subdomainOf } from '../generate/copies.js'
import { createApi } from '../generate/organization.js'
import { basicAuthorization } from '../parts/crowd.js'
import { COLLECT_ON_SIGNAL_OPTIONS, measureHeldMemory, memoryOf, sampleDuring } from '../parts/held.js'
import { ensureData } from '../parts/organizations.js'
import { memoryMib } from '../parts/processes.js'
import { millisecondsToAnswer, OWNER, ownerKey, withProduct } from '../parts/product.js'

const ORGANIZATIONS = 10_000
const START_ROUNDS = 7
const MAX_START_RATIO = 1.2
/** Longer than 30 seconds, the interval of the least frequent periodic jobs. */
const SETTLE_MILLISECONDS = 40_000
const USED_ORGANIZATIONS = 1_000
const REQUESTS_PER_ORGANIZATION = 10
const CONCURRENT_REQUESTS = 16
const IDLE_SECONDS = 20
const MAX_UNLOAD_MILLISECONDS = 180_000
const MAX_MEMORY_MIB = 50
const COMPLETE_MARKER = 'made'
const METRICS_TOKEN = 'bench'
/** Must be the host in the URL that the product prints, which is an IP address. */
const ROOT_DOMAIN = '127.0.0.1'

const ENVIRONMENT = {
  PARLEY_LOG_LEVEL: 'warn',
  PARLEY_ROOT_DOMAIN: ROOT_DOMAIN,
  PARLEY_METRICS_TOKEN: METRICS_TOKEN,
  PARLEY_ORGANIZATION_IDLE_SECONDS: String(IDLE_SECONDS),
}

const PATHS = [
  '/users',
  '/users/me/subscriptions',
  '/messages?anchor=newest&num_before=20&num_after=0&narrow=%5B%5D',
].map((path) => `/api/v1${path}`)

/** @type {import('../figure.js').Figure} */
export const organizations = {
  id: 'organizations',
  name: 'memory of server and database added by 9,999 idle organizations, after a start and 40 idle seconds (proportional set size)',
  unit: 'MiB',
  goal: { atMost: MAX_MEMORY_MIB },
  async measure() {
    const one = await ensureData('organizations-1', COMPLETE_MARKER, async (data) => createOrganizations(data, 1))
    const many = await ensureData(`organizations-${ORGANIZATIONS}`, COMPLETE_MARKER, async (data) =>
      createOrganizations(data, ORGANIZATIONS),
    )
    /** @type {[one: number[], many: number[]]} */
    const starts = [[], []]
    for (let round = 0; round < START_ROUNDS; round += 1) {
      starts[0].push(await measureStart(one))
      starts[1].push(await measureStart(many))
    }
    const startRatio = quantile(
      starts[1].map((milliseconds, round) => milliseconds / (starts[0][round] ?? 0)),
      0.5,
    )
    const idleOne = await withProduct({ data: one, env: ENVIRONMENT }, measureIdle)
    const idleMany = await withProduct({ data: many, env: ENVIRONMENT }, measureIdle)
    const used = await withProduct(
      { data: many, env: ENVIRONMENT, nodeOptions: COLLECT_ON_SIGNAL_OPTIONS },
      loadAndUnloadOrganizations,
    )
    const left = used.left.heap - used.before.heap
    return {
      value: idleMany.all - idleOne.all,
      holds: startRatio <= MAX_START_RATIO && left <= MAX_MEMORY_MIB,
      notes: [
        `start: ratio ${formatNumber(startRatio)}, at most ${MAX_START_RATIO}; one organization ${starts[0].map(formatNumber).join(', ')} ms; ` +
          `${ORGANIZATIONS} ${starts[1].map(formatNumber).join(', ')} ms`,
        `idle: one organization ${formatNumber(idleOne.all)} MiB, of which the server ${formatNumber(idleOne.server)}; ` +
          `${ORGANIZATIONS} ${formatNumber(idleMany.all)}, of which the server ${formatNumber(idleMany.server)}`,
        `after using ${USED_ORGANIZATIONS} with ${REQUESTS_PER_ORGANIZATION} requests each: first response ${formatNumber(quantile(used.first, 0.5))} ms ` +
          `(p99: ${formatNumber(quantile(used.first, 0.99))}), later ones ${formatNumber(quantile(used.later, 0.5))}; ` +
          `at most ${used.open} open at once; server at most ${formatNumber(used.most)} MiB`,
        `heap growth ${formatNumber(left)} MiB, at most ${MAX_MEMORY_MIB}: ${formatNumber(used.left.heap)} after ${formatNumber(used.before.heap)}; ` +
          `server ${formatNumber(used.left.least)} MiB after ${formatNumber(used.before.least)}`,
      ],
    }
  },
}

/** @param {string} data @param {number} count */
async function createOrganizations(data, count) {
  await withProduct({ data, env: ENVIRONMENT }, async (product) => {
    const api = createApi(product.url, OWNER.email, await ownerKey(product))
    for (const name of ['design', 'support']) {
      await api('POST', '/users/me/subscriptions', { subscriptions: JSON.stringify([{ name }]) })
    }
    for (let person = 0; person < 5; person += 1) {
      const about = { email: `person${person}@example.com`, full_name: `Person ${person}`, password: OWNER.password }
      await api('POST', '/users', about)
    }
    for (let index = 0; index < 20; index += 1) {
      const topic = `topic ${index % 5}`
      await api('POST', '/messages', { type: 'stream', to: 'design', topic, content: `Message ${index}` })
    }
  })
  // Copies the organization after a restart: its consumers have then saved their cursors, which are copied, too.
  if (count > 1) await withProduct({ data, env: ENVIRONMENT }, async () => copyOrganization(data, count - 1))
  writeFileSync(join(data, COMPLETE_MARKER), '')
}

/** Milliseconds from the start to the first response. @param {string} data */
async function measureStart(data) {
  return millisecondsToAnswer({ data, env: ENVIRONMENT })
}

/** @param {import('../parts/product.js').Product} product */
async function measureIdle({ url, pid, processes }) {
  await fetch(`${url}/api/v1/server_settings`)
  await sleep(SETTLE_MILLISECONDS)
  return { all: processes().reduce((sum, process) => sum + memoryMib(process), 0), server: memoryMib(pid) }
}

/** Loads organizations, then waits until all are unloaded. @param {import('../parts/product.js').Product} product */
async function loadAndUnloadOrganizations(product) {
  const { url, pid } = product
  const authorization = basicAuthorization(OWNER.email, await ownerKey(product))
  const before = await measureMemory(product)
  let [most, open] = [0, 0]
  const look = async () => {
    most = Math.max(most, memoryOf(pid))
    open = Math.max(open, await readMetric(url, 'parley_organizations'))
  }
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT_REQUESTS })
  /** Milliseconds of first and later requests to each organization. @type {{ first: number[], later: number[] }} */
  const { first, later } = { first: [], later: [] }
  try {
    await sampleDuring(look, async () =>
      Promise.all(
        Array.from({ length: CONCURRENT_REQUESTS }, async (_, asker) => {
          for (let organization = 1 + asker; organization <= USED_ORGANIZATIONS; organization += CONCURRENT_REQUESTS) {
            const headers = { host: `${subdomainOf(organization)}.${ROOT_DOMAIN}`, authorization }
            for (let index = 0; index < REQUESTS_PER_ORGANIZATION; index += 1) {
              const times = index === 0 ? first : later
              times.push(await timeRequest(agent, `${url}${PATHS[index % PATHS.length] ?? ''}`, headers))
            }
          }
        }),
      ),
    )
  } finally {
    agent.destroy()
  }
  const deadline = Date.now() + MAX_UNLOAD_MILLISECONDS
  for (let left = Infinity; left > 0; left = await readMetric(url, 'parley_organizations')) {
    if (Date.now() > deadline) throw new Error(`${left} organizations are still in memory`)
    await sleep(1_000)
  }
  return { before, most, open, first, later, left: await measureMemory(product) }
}

/** Memory in MiB after a wait: V8 returns memory slowly. @param {import('../parts/product.js').Product} product */
async function measureMemory({ url, pid }) {
  const [found] = await measureHeldMemory([pid])
  return {
    least: found?.least ?? Number.NaN,
    heap: (await readMetric(url, 'nodejs_heap_size_used_bytes')) / 1024 / 1024,
  }
}

/** @param {string} url @param {string} metric */
async function readMetric(url, metric) {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  const line = (await answer.text()).split('\n').find((one) => one.startsWith(`${metric} `))
  if (line === undefined) throw new Error(`the server does not report ${metric}`)
  return Number(line.split(' ')[1])
}

/** @param {Agent} agent @param {string} url @param {Record<string, string>} headers @returns {Promise<number>} ms */
function timeRequest(agent, url, headers) {
  const since = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - since)
        else reject(new Error(`${url} answered ${String(response.statusCode)}`))
      })
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}
