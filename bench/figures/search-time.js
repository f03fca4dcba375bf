import { formatNumber, quantile } from '../figure.js'
import { FREQUENT_WORD, RARE_SENTENCE, RARE_WORD } from '../generate/words.js'
import { responseTimes } from '../parts/load.js'
import { ensureOrganization, LARGE_ORGANIZATION, SMALL_ORGANIZATION } from '../parts/organizations.js'
import { connectToDatabase, withProduct } from '../parts/product.js'
import { withSmallAndLargeOrganization } from '../parts/two-sizes.js'

const ROUNDS = 100
const WARM_UP_ROUNDS = 20
const MAX_MILLISECONDS = 60

/** @type {Record<string, string>} */
const SEARCHES = {
  words: `${FREQUENT_WORD} meeting`,
  part: RARE_WORD.slice(1, -2),
  cjk: RARE_SENTENCE.slice(7, 10),
  typo: RARE_WORD.replace('pp', 'p'),
}

/** @type {readonly import('../figure.js').Figure[]} */
export const searchTimes = Object.entries(SEARCHES).map(([what, operand]) => ({
  id: `search-time-${what}`,
  name: `search for "${operand}": p95 of the newest 50 results, in ${LARGE_ORGANIZATION.messages} messages, against ${SMALL_ORGANIZATION.messages}`,
  unit: 'ms',
  goal: { atMost: 2 },
  async measure() {
    return withSmallAndLargeOrganization(async (load, sides) => {
      const found = []
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
        for (const { url, organization, times } of sides) {
          const { email, key } = organization.landmarks.active
          const fields = {
            anchor: 'newest',
            num_before: '50',
            num_after: '0',
            narrow: JSON.stringify([{ operator: 'search', operand }]),
          }
          const requests = [{ method: 'GET', path: '/messages', fields }]
          const asked = await load.ask(url, [{ email, key, requests }], { keepBodies: round === 0 })
          if (round >= 0) times.push(responseTimes(asked))
          if (round === 0) found.push(JSON.parse(asked.answers[0]?.body ?? '').messages.length)
        }
      }
      const [value = 0, baseline = 0] = sides.map(({ times }) => quantile(times.flat(), 0.95))
      const holds = value <= MAX_MILLISECONDS
      return { value, baseline, holds, notes: [`${formatNumber(value)} ms; ${found.join(' and ')} messages found`] }
    })
  },
}))

/** @type {import('../figure.js').Figure} */
export const searchSize = {
  id: 'search-size',
  name: `size of the search index and dictionary of ${LARGE_ORGANIZATION.messages} messages, against their text`,
  unit: 'MB',
  goal: { atMost: 1 },
  async measure() {
    const { data } = await ensureOrganization(LARGE_ORGANIZATION)
    return withProduct({ data, env: { PARLEY_LOG_LEVEL: 'warn' } }, async () => {
      const client = await connectToDatabase(data)
      try {
        const { rows } = await client.query(
          `select pg_relation_size('messages_terms') + pg_total_relation_size('search_words') as index,
             sum(octet_length(content)) as text, sum(pg_column_size(terms)) as terms from messages`,
        )
        const [value = 0, baseline = 0, terms = 0] = [rows[0].index, rows[0].text, rows[0].terms].map(toMegabytes)
        return { value, baseline, notes: [`the terms in the messages' rows take ${formatNumber(terms)} MB more`] }
      } finally {
        await client.end()
      }
    })
  },
}

/** @param {string} bytes */
function toMegabytes(bytes) {
  return Number(bytes) / 1_000_000
}
