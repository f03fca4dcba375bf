import { expect, it } from 'vitest'
import { blockWriter } from '../../testing/hold.ts'
import { createSignal } from '../../testing/http.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { AccountTurns } from './account-turns.ts'

const server = useTestServer()

const REQUEST_COUNT = 60
/** Time that only `advanceTime` advances: on a busy machine, any step can take long. */
let time = 0
const now = (): number => time
const advanceTime = (milliseconds: number): void => {
  time += milliseconds
}
const answer = <Result>(result: Result): Result => result

interface Scene extends TestOrganization {
  readonly ann: TestUser
  readonly bob: TestUser
}

async function createScene(): Promise<Scene> {
  const organization = await server().organization()
  const { owner, user } = organization
  const [ann, bob] = [await user('Ann'), await user('Bob')]
  await owner.subscribe(['news'], { principals: [owner.id, ann.id, bob.id] })
  return { ...organization, ann, bob }
}

const saveSnippet = async (user: TestUser, title: string): Promise<Body> =>
  user.call('POST', '/saved_snippets', { title, content: 'x' })

/** Counts the requests that are answered before a request sent after all of them. */
async function answeredBefore(many: readonly Promise<unknown>[], other: () => Promise<unknown>): Promise<number> {
  let answered = 0
  for (const one of many) void one.then(() => (answered += 1))
  await other()
  return answered
}

it('runs a write before most of the queued writes of another account', async () => {
  const place = await createScene()
  const { owner, ann, bob } = place
  const look = await watch({ owner, ann, bob }, { event_types: ['saved_snippets'] })
  const release = await blockWriter(server().parley, place)
  const titles = Array.from({ length: REQUEST_COUNT }, (_, index) => `${index}`)
  const many = titles.map(async (title) => saveSnippet(ann, title))
  // Waiting writes must not block reads. By the time this read returns, Bob's snippet has arrived.
  await ann.call('GET', '/users/me')
  const bobs = answeredBefore(many, async () => saveSnippet(bob, 'of Bob'))
  await bob.call('GET', '/users/me')
  release()
  expect(await bobs).toBeLessThan(REQUEST_COUNT / 4)
  await Promise.all(many)
  const told = await look()
  const withTitle = (title: string): Body => ({ saved_snippet: expect.objectContaining({ title }) })
  // Requests on different connections can arrive in any order.
  expect(told.ann).toHaveLength(REQUEST_COUNT)
  for (const title of titles) expect(told.ann).toContainEqual(expect.objectContaining(withTitle(title)))
  expect(told.bob).toMatchObject([{ saved_snippet: { title: 'of Bob' } }])
  expect(told.owner).toEqual([])
})

it('answers a read before most of the queued reads of another account', async () => {
  const { ann, bob } = await createScene()
  for (let count = 0; count < 10; count += 1) await ann.send('news', 'a', 'x '.repeat(1_000))
  const asked = { anchor: 'newest', num_before: 1_000, num_after: 0, narrow: [{ operator: 'search', operand: 'x' }] }
  const many = Array.from({ length: REQUEST_COUNT }, async () => ann.call('GET', '/messages', asked))
  expect(await answeredBefore(many, async () => bob.call('GET', '/messages', asked))).toBeLessThan(REQUEST_COUNT / 2)
  await Promise.all(many)
})

it('rejects the queued requests of an account once the account is deactivated', async () => {
  const place = await createScene()
  const { owner, ann } = place
  const release = await blockWriter(server().parley, place)
  const many = Array.from({ length: REQUEST_COUNT }, async () =>
    ann.try('POST', '/saved_snippets', { title: 'a', content: 'x' }),
  )
  await ann.call('GET', '/users/me')
  const ending = owner.call('DELETE', `/users/${ann.id}`)
  await owner.call('GET', '/users/me')
  release()
  await ending
  const statuses = (await Promise.all(many)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeLessThan(REQUEST_COUNT / 4)
  expect(new Set(statuses)).toEqual(new Set([200, 401]))
})

it('runs a single request immediately and frees its slot after a failure', async () => {
  const turns = new AccountTurns(now)
  const account = '1/2'
  const fail = (): never => {
    throw new Error('as expected')
  }
  for (let count = 0; count < 10; count += 1) {
    expect(turns.run('reading', account, { work: (hasWaited) => hasWaited, answer })).toBe(false)
    expect(() => turns.run('reading', account, { work: fail, answer })).toThrow('as expected')
    expect(() => turns.run('reading', account, { work: () => 'a', answer: fail })).toThrow('as expected')
    const failing = turns.run('reading', account, { work: async () => Promise.resolve().then(fail), answer })
    await expect(failing).rejects.toThrow('as expected')
  }
})

it('never queues a request behind requests of another kind or account', async () => {
  const turns = new AccountTurns(now)
  const end = createSignal()
  const one = '1/2'
  const running = Array.from({ length: 10 }, async () =>
    turns.run('writing', one, { work: async () => end.given, answer }),
  )
  const others = [
    ['reading', one],
    ['tools', one],
    ['writing', '1/3'],
    ['writing', '2/2'],
  ] as const
  for (const [kind, account] of others)
    expect(turns.run(kind, account, { work: () => 'answered', answer })).toBe('answered')
  end.give()
  await Promise.all(running)
})

it('spreads the slow requests of one account over several turns of the event loop', async () => {
  const turns = new AccountTurns(now)
  const begun: string[] = []
  const ask = (name: string, account: string): unknown =>
    turns.run('reading', account, {
      work: () => begun.push(name),
      answer: () => advanceTime(12),
    })
  const asked = [ask('a1', 'ann'), ask('a2', 'ann'), ask('a3', 'ann'), ask('b1', 'bob')]
  expect(begun).toEqual(['a1', 'b1'])
  await Promise.all(asked)
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3'])
})

it("spreads the parsing of one account's bodies over several turns of the event loop", async () => {
  const turns = new AccountTurns(now)
  const parsed: string[] = []
  const parse = async (name: string, account: string): Promise<void> => {
    const free = turns.whenFree(account)
    if (free !== undefined) await free
    turns.timed(account, () => advanceTime(12))
    parsed.push(name)
  }
  const parsing = [parse('c1', 'cat'), parse('c2', 'cat'), parse('c3', 'cat'), parse('d1', 'dan')]
  expect(parsed).toEqual(['c1', 'd1'])
  await Promise.all(parsing)
  expect(parsed).toEqual(['c1', 'd1', 'c2', 'c3'])
})

it('starts further requests of an account while its previous responses are still being sent', async () => {
  const turns = new AccountTurns(now)
  const account = '1/2'
  const sent = createSignal()
  const sending = Array.from({ length: 10 }, async () =>
    turns.run('reading', account, { work: () => 'large', answer: async () => sent.given }),
  )
  expect(turns.run('reading', account, { work: () => 'small', answer })).toBe('small')
  sent.give()
  await Promise.all(sending)
})
