import { expect, it } from 'vitest'
import { startTestServerOn, useTestServer } from '../../testing/server.ts'
import { TestUser } from '../../testing/user.ts'
import { expectFull } from '../../testing/full.ts'
import { ALERT_WORD_LIMIT } from './contract.ts'

const server = useTestServer()

const PATH = '/users/me/alert_words'

it('stores alert words and sends changes only to their owner', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const [own, others] = [await ann.register(), await owner.register()]
  expect(own.state['alert_words']).toEqual([])
  const added = await ann.call('POST', PATH, { alert_words: [' lunch ', 'Ärger', '昼ごはん'] })
  expect(added['alert_words']).toEqual(['lunch', 'Ärger', '昼ごはん'])
  const more = await ann.call('POST', PATH, { alert_words: ['tea'] })
  expect(more['alert_words']).toEqual(['lunch', 'Ärger', '昼ごはん', 'tea'])
  expect((await ann.call('GET', PATH))['alert_words']).toEqual(more['alert_words'])
  expect((await ann.register()).state['alert_words']).toEqual(more['alert_words'])
  const removed = await ann.call('DELETE', PATH, { alert_words: ['LUNCH', 'tea ', 'unknown'] })
  expect(removed['alert_words']).toEqual(['Ärger', '昼ごはん'])
  expect(await own.events()).toMatchObject([
    { type: 'alert_words', alert_words: added['alert_words'] },
    { type: 'alert_words', alert_words: more['alert_words'] },
    { type: 'alert_words', alert_words: removed['alert_words'] },
  ])
  expect(await others.events()).toEqual([])
  expect((await owner.call('GET', PATH))['alert_words']).toEqual([])
  await ann.call('DELETE', PATH, { alert_words: ['Ärger', '昼ごはん'] })
  expect((await ann.call('GET', PATH))['alert_words']).toEqual([])
})

it('stores each alert word once, ignoring case', async () => {
  const { owner } = await server().organization()
  const first = await owner.call('POST', PATH, { alert_words: ['Ärger', 'äRGER', 'Ärger'] })
  expect(first['alert_words']).toEqual(['Ärger'])
  const queue = await owner.register()
  for (const [method, alert_words] of [
    ['POST', ['ÄRGER', ' ärger']],
    ['POST', ['', ' ']],
    ['POST', []],
    ['DELETE', ['Lunch']],
    ['DELETE', []],
  ] as const) {
    expect((await owner.call(method, PATH, { alert_words }))['alert_words']).toEqual(['Ärger'])
  }
  expect(await queue.events()).toEqual([])
})

it('keeps alert words after a restart', async () => {
  const { owner, host } = await server().organization()
  await owner.call('POST', PATH, { alert_words: ['z', 'a', 'm'] })
  await owner.call('DELETE', PATH, { alert_words: ['a'] })
  const other = await startTestServerOn(server().database, {}, { shared: true })
  try {
    const again = new TestUser(other.parley.url, host, owner.email, owner.apiKey, owner.id)
    expect((await again.call('GET', PATH))['alert_words']).toEqual(['z', 'm'])
  } finally {
    await other.close()
  }
})

it('rejects alert words that are too long, too many, or invalid', async () => {
  const { owner } = await server().organization()
  const queue = await owner.register()
  const many = (from: number, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `word ${from + index}`)
  for (const alert_words of [['fine', '😀'.repeat(101)], [1], 'x', { a: 'b' }, many(0, 201)]) {
    const { status } = await owner.try('POST', PATH, { alert_words: JSON.stringify(alert_words) })
    expect(status).toBe(400)
  }
  expect((await owner.try('POST', PATH)).body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' })
  expect((await owner.try('DELETE', PATH)).body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' })
  expect(await queue.events()).toEqual([])
  await owner.call('POST', PATH, { alert_words: ['😀'.repeat(100), ...many(0, 199)] })
  const full = await owner.try('POST', PATH, { alert_words: ['one more'] })
  expect([full.status, full.body['code']]).toEqual([400, 'BAD_REQUEST'])
  expect((await owner.call('GET', PATH))['alert_words']).toHaveLength(200)
})

it('refuses more alert words than the limit per person', async () => {
  await expectFull(ALERT_WORD_LIMIT, {
    fill: [
      `insert into alert_words (organization_id, user_id, word_key, word, id)
       select $1, $2, 'w' || n, 'w' || n, 1000000 + n from generate_series(1, $3::int) n`,
    ],
    make: async (owner) => owner.try('POST', '/users/me/alert_words', { alert_words: ['more'] }),
    refusal: 'You can have at most 200 alert words.',
  })
})
