import { expect, it } from 'vitest'
import { parseSearch } from '../../kernel/search-query.ts'
import { searchTermsOf } from '../../kernel/search-terms.ts'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { MAX_RANKED_MESSAGES, matchScore } from './queries/ranking.ts'
import { copyMessage } from './testing/copied-messages.ts'

const server = useTestServer()

async function findBest(user: TestUser, operand: string, most = 100): Promise<{ ids: number[]; ranking: unknown }> {
  const narrow = [
    { operator: 'channel', operand: 'general' },
    { operator: 'search', operand },
    { operator: 'order', operand: 'best' },
  ]
  const answer = await user.call('GET', '/messages', { anchor: 'newest', num_before: most, num_after: 0, narrow })
  expect([answer.found_oldest, answer.found_newest]).toEqual([true, true])
  return { ids: answer.messages.map(({ id }) => id), ranking: answer.search_ranking }
}

it('puts the best match last, of those that the reader can read', async () => {
  const { owner, user } = await server().organization()
  const [ann, bob] = [await user('Ann'), await user('Bob')]
  await owner.subscribe(['general'], { principals: [owner.id, ann.id, bob.id] })
  await owner.subscribe(['secret'], { invite_only: true })
  await ann.sendTo([bob.id], 'Hi')
  const inTopic = await owner.send('general', 'Failed deploys', 'see above: deploy failed')
  const ofFriend = await bob.send('general', 'a', 'the deploy failed')
  const close = await owner.send('general', 'a', 'the deploy failed')
  const far = await owner.send('general', 'a', `deploy ${'and so on '.repeat(20)} failed`)
  const inPart = await owner.send('general', 'a', `redeploy ${'and so on '.repeat(20)} failed`)
  await owner.send('secret', 'deploy failed', 'deploy failed')
  const ids = [inPart, far, close, ofFriend, inTopic]
  const ranking = { matches: 5, found_oldest: true }
  expect(await findBest(ann, 'deploy failed')).toEqual({ ids, ranking })
  expect(await findBest(ann, 'deploy failed', 2)).toEqual({ ids: ids.slice(-2), ranking })
  expect(await findBest(ann, 'dpeloy failed')).toMatchObject({ ranking: { matches: 4 } })
  expect(await findBest(ann, 'absent')).toEqual({ ids: [], ranking: { matches: 0, found_oldest: true } })
})

it('does not prefer people whose direct messages the reader never received', async () => {
  const { owner, user } = await server().organization()
  const [ann, bob] = [await user('Ann'), await user('Bob')]
  await owner.subscribe(['general'], { principals: [owner.id, ann.id, bob.id] })
  await ann.call('POST', `/users/me/blocked_users/${bob.id}`)
  await bob.sendTo([ann.id], 'Hi')
  await ann.call('DELETE', `/users/me/blocked_users/${bob.id}`)
  const ids = [
    await bob.send('general', 'a', 'the deploy failed'),
    await owner.send('general', 'a', 'the deploy failed'),
  ]
  expect((await findBest(ann, 'deploy failed')).ids).toEqual(ids)
})

it('puts messages with the word after newer messages that match only by their topic', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const withWord = await owner.send('general', 'a', 'the garden is wet')
  const byTopic = await owner.send('general', 'garden', 'in Denmark?')
  expect((await findBest(owner, 'garden')).ids).toEqual([byTopic, withWord])
})

it('ranks only the newest matches, and says so', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const first = await owner.send('general', 'deploy failed', 'deploy failed')
  const next = await owner.send('general', 'a', 'deploy and so on failed')
  const { pool } = server().parley.database
  await copyMessage(pool, next, { from: 1, to: MAX_RANKED_MESSAGES - 2 })
  expect((await findBest(owner, 'deploy failed')).ids.at(-1)).toBe(first)
  await copyMessage(pool, next, { from: MAX_RANKED_MESSAGES, to: MAX_RANKED_MESSAGES })
  const { ids, ranking } = await findBest(owner, 'deploy failed')
  expect(ranking).toEqual({ matches: MAX_RANKED_MESSAGES, found_oldest: false })
  expect([ids.length, ids.includes(first)]).toEqual([100, false])
})

it('scores words higher if they are in the text, together, whole, and also in the topic', () => {
  const clauses = parseSearch('deploy failed')
  const score = (text: string, topic = ''): number =>
    matchScore(clauses, { text: searchTermsOf(text), topic: searchTermsOf(topic) }, () => false)
  const scores = [
    score('redeploy it and see that it failed'),
    score('redeploy it and it failed'),
    score('redeploy it, failed'),
    score('deploy it, failed'),
    score('deploy: failed'),
    score('failed deploy at first, then deploy it and see', 'failed'),
    score('failed deploy', 'deploy failed'),
  ]
  expect(scores).toEqual(scores.toSorted((a, b) => a - b))
  expect(new Set(scores).size).toBe(scores.length)
})

it('refuses other orders', async () => {
  const { owner } = await server().organization()
  const narrow = [{ operator: 'order', operand: 'worst' }]
  const { body } = await owner.try('GET', '/messages', { anchor: 'newest', num_before: 1, narrow })
  expect(body['code']).toBe('BAD_NARROW')
})
