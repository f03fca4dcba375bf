import { formatNumber } from '../figure.js'
import { createApi } from '../generate/organization.js'
import { generateKnownItems } from '../generate/known-items.js'
import { OWNER, ownerKey, withData, withProduct } from '../parts/product.js'

const FIRST_RESULTS = 10
const REQUESTS_AT_ONCE = 8
const MAX_LISTED_MISSES = 40

/** @type {import('../figure.js').Figure} */
export const searchFind = {
  id: 'search-find',
  name: `searches that list the right one of 2,000 messages among the first ${FIRST_RESULTS}, in the worst language and kind of search`,
  unit: 'of 1',
  goal: { atLeast: 0.97 },
  async measure() {
    const { messages, items } = generateKnownItems(1)
    return withData((data) =>
      withProduct({ data, env: { PARLEY_LOG_LEVEL: 'warn' } }, async (product) => {
        const api = createApi(product.url, OWNER.email, await ownerKey(product))
        const languages = [...new Set(messages.map(({ language }) => language))]
        await api('PATCH', '/realm', { search_languages: languages.filter(hasForms).toSorted().join(',') })
        const channels = languages.map((name) => ({ name }))
        await api('POST', '/users/me/subscriptions', { subscriptions: JSON.stringify(channels) })
        /** @type {number[]} */
        const ids = []
        await inParallel(messages, async ({ content, language }, index) => {
          const fields = { type: 'channel', to: language, topic: '#', content }
          ids[index] = Number((await api('POST', '/messages', fields))['id'])
        })
        /** @type {Map<string, { found: number, all: number }>} */
        const counts = new Map()
        /** @type {string[]} */
        const misses = []
        await inParallel(items, async ({ language, kind, query, message }) => {
          const answer = await api('GET', '/messages', {
            anchor: 'newest',
            num_before: String(FIRST_RESULTS),
            num_after: '0',
            narrow: JSON.stringify([
              { operator: 'channel', operand: language },
              { operator: 'search', operand: query },
            ]),
          })
          // Safe: the API lists messages.
          const found = /** @type {{ id: number }[]} */ (answer['messages']).some(({ id }) => id === ids[message])
          const count = counts.get(`${language} ${kind}`) ?? { found: 0, all: 0 }
          counts.set(`${language} ${kind}`, { found: count.found + Number(found), all: count.all + 1 })
          if (!found) misses.push(`${language} ${kind}: "${query}" in "${messages[message]?.content}"`)
        })
        const shares = [...counts].map(([name, { found, all }]) => ({ name, share: found / all }))
        const notes = shares
          .filter(({ share }) => share < 1)
          .map(({ name, share }) => `${name}: ${formatNumber(share)}`)
        return {
          value: Math.min(...shares.map(({ share }) => share)),
          notes: [`${items.length} searches; ${notes.join(', ')}`, ...misses.slice(0, MAX_LISTED_MISSES)],
        }
      }),
    )
  },
}

/** Whether the server knows the forms of the language's words. @param {string} language */
function hasForms(language) {
  return !['zh', 'ja', 'ko', 'code'].includes(language)
}

/** @template T @param {readonly T[]} list @param {(item: T, index: number) => Promise<void>} use */
async function inParallel(list, use) {
  const entries = list.entries()
  const take = async () => {
    for (const [index, item] of entries) await use(item, index)
  }
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, take))
}
