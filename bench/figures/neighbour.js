import { setTimeout as sleep } from 'node:timers/promises'
import { short } from '../figure.js'
import { askingOf } from '../parts/asking.js'
import { basic } from '../parts/crowd.js'
import { OWNER, withProduct } from '../parts/product.js'
import { ownerOf } from '../worst/measure.js'
import { succeeding, withWorst } from '../worst/prepared.js'
import { form } from '../worst/requests.js'

/** @typedef {import('../parts/asking.js').Ask} Ask */

const NEIGHBOUR = { email: 'neighbour@example.com', password: 'beside it, measured' }
const ROLES = { owner: 100, member: 400 }

/** Default requests per minute for an account (`PARLEY_RATE_LIMIT_USER`), all sent at once. */
const ASKED_IN_A_MINUTE = 200
/** Slow requests are sent less often: this much work suffices to see who waits. */
const WORK_MILLISECONDS = 500
const LEAST_ASKED = 8
const BETWEEN_MILLISECONDS = 10
const NOTED = 12

/** @type {import('../figure.js').Figure} */
export const neighbour = {
  id: 'neighbour',
  name: 'the slowest request of one member while another one asks the worst of each endpoint, as often as a minute allows, at once, among 10,000 people',
  unit: 'ms',
  goal: { atMost: 250 },
  async measure() {
    return withWorst(async (data, requests, { topic }) => {
      const keys = await withProduct({ data }, async (product) => {
        const { ask, close } = await ownerOf(product)
        return withNeighbour(ask).finally(close)
      })
      // Lifts the limit, so that each endpoint gets a full minute's requests.
      const env = { PARLEY_RATE_LIMITS: 'on', PARLEY_RATE_LIMIT_USER: '1000000/60' }
      const seen = await withProduct({ data, env }, async (product) => {
        const asking = askingOf(product.url, { authorization: basic(OWNER.email, keys.member) })
        const beside = askingOf(product.url, { authorization: basic(NEIGHBOUR.email, keys.neighbour) })
        try {
          return await waitsBeside(asking.ask, beside.ask, requests, topic)
        } finally {
          asking.close()
          beside.close()
        }
      })
      const byWait = seen.toSorted((a, b) => b.slowest - a.slowest)
      const failed = seen.filter(({ failures }) => failures > 0)
      return {
        value: byWait[0]?.slowest ?? 0,
        failures: failed.map(({ name, failures }) => `answered as a failure ${failures} times: ${name}`),
        notes: byWait.slice(0, NOTED).map((one) => `${short(one.slowest)} ms beside ${one.asked} of ${one.name}`),
      }
    })
  },
}

/** Adds a second owner account and makes the first one a member. @param {Ask} ask sends as the owner */
async function withNeighbour(ask) {
  const sure = succeeding(ask)
  const { user_id: id } = await sure(form('', 'POST /users', { ...NEIGHBOUR, full_name: 'Nadia Neighbour' }))
  await sure(form('', `PATCH /users/${String(id)}`, { role: ROLES.owner }))
  const keyOf = async (/** @type {{ email: string, password: string }} */ { email, password }) =>
    String((await sure(form('', 'POST /fetch_api_key', { username: email, password })))['api_key'])
  const keys = { member: await keyOf(OWNER), neighbour: await keyOf(NEIGHBOUR) }
  const { user_id: me } = await sure(form('', 'GET /users/me'))
  await sure(form('', `PATCH /users/${String(me)}`, { role: ROLES.member }))
  return keys
}

/**
 * @param {Ask} ask sends as the member
 * @param {Ask} beside sends as the second account
 * @param {readonly import('../worst/prepared.js').Asked[]} requests
 * @param {{ channel: number }} topic
 */
async function waitsBeside(ask, beside, requests, { channel }) {
  /** Frequent requests of every client. */
  const usual = [
    form('', 'GET /users/me'),
    form('', 'POST /messages', { type: 'stream', to: channel, topic: 'beside', content: 'Is somebody there?' }),
    form('', 'GET /messages', { anchor: 'newest', num_before: 20, num_after: 0 }),
  ]
  for (const one of usual) await beside(one)
  const seen = []
  for (const { endpoint, ...asked } of requests) {
    const began = performance.now()
    const first = await ask(asked)
    const alone = Math.max(1, performance.now() - began)
    const times = Math.min(ASKED_IN_A_MINUTE, Math.max(LEAST_ASKED, Math.round(WORK_MILLISECONDS / alone)))
    const all = { slowest: 0, isOver: false, failures: first.status >= 500 ? 1 : 0 }
    const many = Promise.all(
      Array.from({ length: times }, async () => {
        if ((await ask(asked)).status >= 500) all.failures += 1
      }),
    ).finally(() => (all.isOver = true))
    for (let index = 0; !all.isOver; index += 1) {
      const since = performance.now()
      await beside(usual[index % usual.length] ?? form('', 'GET /users/me'))
      all.slowest = Math.max(all.slowest, performance.now() - since)
      await sleep(BETWEEN_MILLISECONDS)
    }
    await many
    seen.push({ name: `${endpoint}, ${asked.what}`, asked: times, slowest: all.slowest, failures: all.failures })
  }
  return seen
}
