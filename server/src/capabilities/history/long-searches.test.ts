import { expect, it } from 'vitest'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Answer } from '../../testing/user.ts'
import { MAX_SEARCH_WORDS } from './queries/search.ts'
import { copyMessage } from './testing/copied-messages.ts'

const server = useTestServer()
const words = (count: number): string => Array.from({ length: count }, (_, index) => `w${index}`).join(' ')

/** Uses POST, because the narrow can be too long for a URL. */
async function search({ owner }: TestOrganization, operand: string): Promise<Answer> {
  const narrow = [{ operator: 'search', operand }]
  const window = { anchor: 'newest', num_before: 10, num_after: 0, narrow }
  return owner.try('POST', '/messages/flags/narrow', { ...window, op: 'add', flag: 'starred' })
}

it.each([
  ['one phrase', `"${words(MAX_SEARCH_WORDS + 1)}"`],
  ['single words', words(MAX_SEARCH_WORDS + 1)],
  ['two phrases', `"${words(MAX_SEARCH_WORDS)}" "w1 w2"`],
  ['a phrase of 100,000 words', `"${'a '.repeat(100_000)}"`],
])('refuses a search for too many words: %s', async (_what, operand) => {
  const { status, body } = await search(await server().organization(), operand)
  expect([status, body]).toMatchObject([400, { code: 'BAD_NARROW' }])
})

it('finds and highlights a phrase with the maximum number of words', async () => {
  const organization = await server().organization()
  await organization.owner.subscribe(['general'])
  const phrase = words(MAX_SEARCH_WORDS)
  const id = await organization.owner.send('general', 'hello', phrase)
  const narrow = [{ operator: 'search', operand: `"${phrase}"` }]
  const { messages } = await organization.owner.call('GET', '/messages', { anchor: 'newest', num_before: 10, narrow })
  const [found] = messages
  expect(found?.id).toBe(id)
  expect(String(found?.match_content).match(/highlight/g)).toHaveLength(MAX_SEARCH_WORDS)
})

it('finds a sentence without spaces, and refuses one that is too long', async () => {
  const organization = await server().organization()
  await organization.owner.subscribe(['general'])
  const sentence = Array.from({ length: 200 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('')
  await organization.owner.send('general', 'hello', `前${sentence}後`)
  const { body } = await search(organization, sentence)
  expect(body).toMatchObject({ processed_count: 1 })
  expect((await search(organization, sentence.repeat(2))).status).toBe(400)
})

it.each([
  ['50 words of 10,000 letters', words(50).replaceAll('w', 'x'.repeat(10_000))],
  ['a word of 100,000 letters', 'é'.repeat(100_000)],
  ['only quotes', '"'.repeat(100_000)],
  ['50 single letters', Array.from({ length: 50 }, (_, index) => String.fromCodePoint(0x430 + index)).join(' ')],
  ['50 parts of words', words(50).replaceAll('w', 'ing')],
  ['wildcards of the database', '% _ \\ %_% [^ ]* .* :*'],
])('accepts a search for %s and finds nothing', async (_what, operand) => {
  const { status, body } = await search(await server().organization(), operand)
  expect([status, body]).toMatchObject([200, { processed_count: 0 }])
})

it('finds messages with frequent words, near the newest message or not, of which the reader can read few', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['general'], { principals: [owner.id, ann.id] })
  await owner.subscribe(['secret'], { invite_only: true })
  const ids: number[] = []
  for (let index = 0; index < 3; index += 1) ids.push(await owner.send('general', 'a', `alpha ${index} beta`))
  const { pool } = server().parley.database
  await copyMessage(pool, await owner.send('secret', 'a', 'alpha beta'), { from: 1, to: 2_000 })
  await pool.query('analyze messages')
  const narrow = [{ operator: 'search', operand: 'alpha beta' }]
  const find = async (anchor: string | number, num_before: number, num_after: number): Promise<number[]> => {
    const { messages } = await ann.call('GET', '/messages', { anchor, num_before, num_after, narrow })
    return messages.map(({ id }) => id)
  }
  expect(await find('newest', 2, 0)).toEqual(ids.slice(1))
  expect(await find('newest', 100, 0)).toEqual(ids)
  expect(await find('oldest', 0, 2)).toEqual(ids.slice(0, 2))
  expect(await find(ids[1] ?? 0, 1, 1)).toEqual(ids)
  expect(await find('first_unread', 0, 0)).toEqual(ids.slice(0, 1))
})
