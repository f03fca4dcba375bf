import { FREQUENT_WORD, RARE_WORD } from '../generate/words.js'
import { seededRandom } from '../generate/random.js'
import { median, formatNumber } from '../figure.js'
import { responseTimes } from '../parts/load.js'
import { LARGE_ORGANIZATION, SMALL_ORGANIZATION } from '../parts/organizations.js'
import { withSmallAndLargeOrganization } from '../parts/two-sizes.js'

/** @import { Organization } from '../parts/organizations.js' */
/** @typedef {readonly { operator: string, operand: string | number | number[] }[]} Narrow */

const ROUNDS = 100
const WARM_UP_ROUNDS = 20

/** @type {Record<string, (organization: Organization) => Narrow>} */
const NARROWS = {
  channel: ({ landmarks }) => [{ operator: 'channel', operand: landmarks.channelId }],
  topic: ({ landmarks }) => [
    { operator: 'channel', operand: landmarks.channelId },
    { operator: 'topic', operand: landmarks.topic },
  ],
  direct: ({ landmarks }) => [{ operator: 'dm', operand: [landmarks.sender] }],
  feed: () => [],
  sender: ({ landmarks }) => [{ operator: 'sender', operand: landmarks.sender }],
  mentions: () => [{ operator: 'is', operand: 'mentioned' }],
  starred: () => [{ operator: 'is', operand: 'starred' }],
  unread: () => [{ operator: 'is', operand: 'unread' }],
  frequent: () => [{ operator: 'search', operand: FREQUENT_WORD }],
  rare: () => [{ operator: 'search', operand: RARE_WORD }],
}

/** @param {readonly number[]} times */
const mean = (times) => times.reduce((sum, time) => sum + time, 0) / times.length

/** Reads the newest 100 messages, then 100 around a random message. @type {readonly import('../figure.js').Figure[]} */
export const fetchFigures = Object.entries(NARROWS).map(([what, narrowIn]) => ({
  id: `fetch-${what}`,
  name: `100 messages with flags (${what}): p50 of reading the newest and around a random one, in ${LARGE_ORGANIZATION.messages} messages, against ${SMALL_ORGANIZATION.messages}`,
  unit: 'ms',
  goal: { atMost: 2 },
  async measure() {
    return withSmallAndLargeOrganization(async (load, sides) => {
      const random = seededRandom(7)
      const found = []
      let cores = 0
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
        for (const { url, organization, size, times } of sides) {
          const { email, key } = organization.landmarks.active
          const newest = organization.landmarks.position
          const requests = [
            { anchor: 'newest', num_before: '100', num_after: '0' },
            { anchor: String(newest - Math.floor(random() * size.messages)), num_before: '50', num_after: '50' },
          ].map((window) => ({
            method: 'GET',
            path: '/messages',
            fields: {
              ...window,
              narrow: JSON.stringify(narrowIn(organization)),
              apply_markdown: 'true',
              allow_empty_topic_name: 'true',
            },
          }))
          const asked = await load.ask(url, [{ email, key, requests }], { keepBodies: round === 0 })
          if (round >= 0) times.push(responseTimes(asked))
          if (round === 0)
            found.push(Math.max(...asked.answers.map(({ body }) => JSON.parse(body ?? '').messages.length)))
          cores = Math.max(cores, asked.cores)
        }
      }
      // Averages both requests of a round first: a median over two clusters of times would be arbitrary.
      const [value = 0, baseline = 0] = sides.map(({ times }) => median(times.map(mean)))
      const [newest, around] = [0, 1].map((kind) =>
        sides.map(({ times }) => median(times.map((both) => both[kind] ?? 0))),
      )
      const notes = [
        `newest ${newest?.map(formatNumber).join(' against ')} ms, around a random one: ${around?.map(formatNumber).join(' against ')} ms; ` +
          `${found.join(' and ')} messages`,
        `load process: at most ${cores.toFixed(2)} of a core`,
      ]
      return { value, baseline, notes }
    })
  },
}))
