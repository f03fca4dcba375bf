import { quantile } from '../figure.js'
import { responseTimes, withLoad } from '../parts/load.js'
import { LARGE_ORGANIZATION, ensureOrganization } from '../parts/organizations.js'
import { withProduct } from '../parts/product.js'
import { REGISTRATION_PARAMETERS } from './register.js'

/** @import { Asked } from '../parts/load.js' */

const ROUNDS = 15
const WARM_UP_ROUNDS = 3
const MAX_BYTES_RATIO = 1.5

/** @type {import('../figure.js').Figure} */
export const registerUnread = {
  id: 'register-unread',
  name: '`POST /register` with 50,000 unread messages as ranges, compared with none',
  unit: 'ms',
  goal: { atMost: 1.5 },
  async measure() {
    const { data, landmarks } = await ensureOrganization(LARGE_ORGANIZATION)
    return withProduct({ data, env: { PARLEY_LOG_LEVEL: 'warn' } }, (product) =>
      withLoad(async (load) => {
        const understood = { ...JSON.parse(REGISTRATION_PARAMETERS.client_capabilities), unread_ranges: true }
        const fields = { ...REGISTRATION_PARAMETERS, client_capabilities: JSON.stringify(understood) }
        const listed = { method: 'POST', path: '/register', fields: REGISTRATION_PARAMETERS, gzip: true }
        const asked = { ...listed, fields }
        const [behind, caughtUp] = landmarks.behind
        if (behind === undefined || caughtUp === undefined) throw new Error('two people have unread messages')
        /** @param {{ email: string, key: string }} person @param {Asked} request @param {number} count */
        const ask = async ({ email, key }, request, count) => {
          const requests = Array.from({ length: count }, () => request)
          return load.ask(product.url, [{ email, key, requests }])
        }
        await ask(caughtUp, { method: 'POST', path: '/mark_all_as_read' }, 1)
        for (const person of [behind, caughtUp]) await ask(person, asked, WARM_UP_ROUNDS)
        const [many, none] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])]
        let [bytesOfMany, bytesOfNone] = [0, 0]
        for (let round = 0; round < ROUNDS; round += 1) {
          const ofNone = await ask(caughtUp, asked, 1)
          const ofMany = await ask(behind, asked, 1)
          none.push(...responseTimes(ofNone))
          many.push(...responseTimes(ofMany))
          bytesOfNone = ofNone.answers[0]?.bytes ?? 0
          bytesOfMany = ofMany.answers[0]?.bytes ?? 0
        }
        const inLists = await ask(behind, listed, WARM_UP_ROUNDS)
        const kib = (/** @type {number} */ bytes) => Math.round(bytes / 1024)
        return {
          value: quantile(many, 0.5),
          baseline: quantile(none, 0.5),
          holds: bytesOfMany <= bytesOfNone * MAX_BYTES_RATIO,
          notes: [
            `${kib(bytesOfMany)} KiB against ${kib(bytesOfNone)} KiB transferred, ratio ${(bytesOfMany / bytesOfNone).toFixed(2)}; at most ${MAX_BYTES_RATIO}`,
            `with lists of IDs: ${Math.round(quantile(responseTimes(inLists), 0.5))} ms, ${kib(inLists.answers.at(-1)?.bytes ?? 0)} KiB; ${landmarks.behindBy} unread`,
          ],
        }
      }),
    )
  },
}
