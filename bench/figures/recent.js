import { seededRandom } from '../generate/random.js'
import { median, formatNumber } from '../figure.js'
import { responseTimes } from '../parts/load.js'
import { LARGE_ORGANIZATION, SMALL_ORGANIZATION } from '../parts/organizations.js'
import { withSmallAndLargeOrganization } from '../parts/two-sizes.js'

const ROUNDS = 60
const WARM_UP_ROUNDS = 10

const PAGES = {
  newest: {},
  unread: { unread: 'true' },
  participated: { participated: 'true' },
  followed: { followed: 'true' },
}

/** @type {import('../figure.js').Figure} */
export const recent = {
  id: 'recent',
  name: `50 newest and 50 older conversations: p50 of both, in ${LARGE_ORGANIZATION.messages} messages, against ${SMALL_ORGANIZATION.messages}`,
  unit: 'ms',
  goal: { atMost: 2 },
  async measure() {
    return withSmallAndLargeOrganization(async (load, sides) => {
      const random = seededRandom(7)
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
        for (const { url, organization, size, times } of sides) {
          const { email, key } = organization.landmarks.active
          const before = String(organization.landmarks.position - Math.floor(random() * size.messages * 0.9))
          const requests = [...Object.values(PAGES), { before }].map((fields) => ({
            method: 'GET',
            path: '/recent',
            fields,
          }))
          const asked = await load.ask(url, [{ email, key, requests }])
          if (round >= 0) times.push(responseTimes(asked))
        }
      }
      const names = Object.keys(PAGES)
      const older = names.length
      const [ofMany = [], ofFew = []] = sides.map(({ times }) =>
        [...names.keys(), older].map((index) => median(times.map((each) => each[index] ?? 0))),
      )
      const totalTime = (/** @type {number[]} */ each) => (each[0] ?? 0) + (each[older] ?? 0)
      return {
        value: totalTime(ofMany),
        baseline: totalTime(ofFew),
        notes: [...names, 'older'].map(
          (name, index) => `${name}: ${formatNumber(ofMany[index] ?? 0)} ms against ${formatNumber(ofFew[index] ?? 0)}`,
        ),
      }
    })
  },
}
