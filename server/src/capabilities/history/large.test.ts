import { expect, it } from 'vitest'
import { MAX_PREVIOUS_CONTENTS } from '../message-edits/actions/history.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { MAX_RESPONSE_BYTES } from './queries/sizes.ts'

const server = useTestServer()

/** Makes messages larger than requests can, as older versions allowed. */
async function enlargeMessages(ids: readonly number[], bytes: number): Promise<void> {
  await server().parley.database.pool.query(
    `update messages set rendered_content = '<p>' || repeat('x', $2::int) || '</p>' where id = any($1)`,
    [ids, bytes],
  )
}

async function sendMany(user: TestUser, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let index = 0; index < count; index += 1) ids.push(await user.send('general', 'long', `Message ${index}`))
  return ids
}

interface FetchedPage {
  readonly ids: number[]
  readonly foundOldest: unknown
  readonly foundNewest: unknown
  readonly bytes: number
}

async function fetchAround(
  user: TestUser,
  anchor: number | string,
  before: number,
  after: number,
): Promise<FetchedPage> {
  const narrow = [['channel', 'general']]
  const body = await user.call('GET', '/messages', { anchor, num_before: before, num_after: after, narrow })
  return {
    ids: body.messages.map(({ id }) => id),
    foundOldest: body['found_oldest'],
    foundNewest: body['found_newest'],
    bytes: JSON.stringify(body).length,
  }
}

it('returns fewer messages per request if they are large, and all of them over several requests', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const ids = await sendMany(owner, 22)
  await enlargeMessages(ids, 1_000_000)
  const newest = await fetchAround(owner, 'newest', 100, 0)
  expect(newest).toMatchObject({ foundOldest: false, foundNewest: true, ids: ids.slice(-newest.ids.length) })
  expect(newest.bytes).toBeLessThan(1.2 * MAX_RESPONSE_BYTES)
  const all = [...newest.ids]
  for (let { foundOldest } = newest; foundOldest === false;) {
    const older = await fetchAround(owner, all[0] ?? 0, 100, 0)
    expect(older.ids.at(-1)).toBe(all[0])
    expect(older.ids.length).toBeGreaterThan(1)
    all.unshift(...older.ids.slice(0, -1))
    foundOldest = older.foundOldest
  }
  expect(all).toEqual(ids)
  const middle = ids[11] ?? 0
  const around = await fetchAround(owner, middle, 100, 100)
  expect(around).toMatchObject({ foundOldest: false, foundNewest: false })
  expect(around.ids).toContain(middle)
  expect(around.ids).toEqual(ids.filter((id) => id >= (around.ids[0] ?? 0) && id <= (around.ids.at(-1) ?? 0)))
  const named = await owner.call('GET', '/messages', { message_ids: ids })
  expect(named.messages.length).toBe(newest.ids.length)
  const many = await owner.try('GET', '/messages/matches_narrow', { msg_ids: ids, narrow: [['search', 'x']] })
  expect([many.status, many.body['code']]).toEqual([400, 'BAD_REQUEST'])
})

it('returns the anchor message and its neighbors regardless of their size', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const ids = await sendMany(owner, 5)
  const [first = 0, , third = 0, , fifth = 0] = ids
  // Two of these messages exceed the limit of a response; the newest message alone exceeds it.
  await enlargeMessages(ids, Math.ceil(0.55 * MAX_RESPONSE_BYTES))
  await enlargeMessages([fifth], Math.ceil(1.1 * MAX_RESPONSE_BYTES))
  expect((await fetchAround(owner, 'newest', 5, 0)).ids).toEqual([fifth])
  expect((await fetchAround(owner, fifth, 5, 0)).ids).toEqual(ids.slice(3))
  expect((await fetchAround(owner, first, 0, 5)).ids).toEqual(ids.slice(0, 2))
  expect(await fetchAround(owner, third, 5, 5)).toMatchObject({
    ids: ids.slice(1, 4),
    foundOldest: false,
    foundNewest: false,
  })
  const all = [fifth]
  for (let foundOldest: unknown = false; foundOldest === false && all.length < 10;) {
    const older = await fetchAround(owner, all[0] ?? 0, 100, 0)
    all.unshift(...older.ids.slice(0, -1))
    foundOldest = older.foundOldest
  }
  expect(all).toEqual(ids)
})

it('limits the size of responses with many reactions or search highlights', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const ids = await sendMany(owner, 90)
  await server().parley.database.pool.query(
    `insert into reactions (organization_id, message_id, reaction_type, emoji_code, user_id, emoji_name, position)
     select m.organization_id, m.id, 'unicode_emoji', to_hex(x'1f400'::int + n), m.sender_id, 'emoji', m.id
     from messages m, generate_series(1, 500) n where m.id = any($1)`,
    [ids],
  )
  const reacted = await fetchAround(owner, 'newest', 1_000, 0)
  expect(reacted).toMatchObject({ foundOldest: false, ids: ids.slice(-reacted.ids.length) })
  expect(reacted.bytes).toBeLessThan(9_000_000)
  expect(reacted.ids.length).toBeGreaterThan(20)
  for (let count = 0; count < 60; count += 1) await owner.send('general', 'words', 'a '.repeat(5_000))
  const found = await owner.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 1_000,
    num_after: 0,
    narrow: [
      ['topic', 'words'],
      ['search', 'a'],
    ],
  })
  expect(found.messages.length).toBeGreaterThan(20)
  expect(JSON.stringify(found).length).toBeLessThan(9_000_000)
  expect(found['found_oldest']).toBe(false)
})

it('keeps the first and newest states of a long edit history and paginates them', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const id = await owner.send('general', 'long', 'State 0')
  const changes = MAX_PREVIOUS_CONTENTS + 20
  for (let change = 1; change <= changes; change += 1) {
    await owner.call('PATCH', `/messages/${id}`, { content: `State ${change}` })
  }
  await owner.call('PATCH', `/messages/${id}`, { topic: 'longer' })
  const history = async (more: Body = {}): Promise<Body[]> =>
    (await owner.call('GET', `/messages/${id}/history`, more))['message_history']
  const states = await history()
  const contents = states.map(({ content }) => content)
  // The history has the original, the newest 100 past states, the current state, and the moved state.
  expect(contents.slice(0, 2)).toEqual(['State 0', `State ${changes - MAX_PREVIOUS_CONTENTS}`])
  expect(contents.slice(-2)).toEqual([`State ${changes}`, `State ${changes}`])
  expect(contents).toHaveLength(MAX_PREVIOUS_CONTENTS + 3)
  const parts = [await history({ limit: 50 }), await history({ offset: 50, limit: 50 }), await history({ offset: 100 })]
  expect(parts.flat()).toEqual(states)
  const refused = await owner.try('GET', `/messages/${id}/history`, { limit: 0 })
  expect(refused.body['code']).toBe('REQUEST_VARIABLE_INVALID')
  const { message } = await owner.call('GET', `/messages/${id}`)
  expect(message.edit_history).toHaveLength(MAX_PREVIOUS_CONTENTS + 2)
})

it('limits the stored edit history of a large message to a million bytes', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const id = await owner.send('general', 'long', 'First')
  for (let change = 0; change < 30; change += 1) {
    await owner.call('PATCH', `/messages/${id}`, { content: `${String(change).padStart(2, '0')}${'&'.repeat(9_000)}` })
  }
  const { message_history: states } = await owner.call('GET', `/messages/${id}/history`)
  const contents = states.map(({ content }) => content)
  const bytes = states.reduce(
    (sum, { prev_content: before = '', prev_rendered_content: html = '' }) => sum + before.length + html.length,
    0,
  )
  expect(bytes).toBeLessThan(1_000_100)
  expect(contents[0]).toBe('First')
  expect(contents.at(-1)?.slice(0, 2)).toBe('29')
  expect(contents.length).toBeGreaterThan(10)
  expect(contents.length).toBeLessThan(25)
})

it('shows formulas as source if their rendering would be disproportionately large', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const queue = await owner.register({ event_types: ['message'] })
  const content = Array.from({ length: 90 }, () => '$$\\sqrt{\\frac{x}{y}}$$').join(' ')
  await owner.send('general', 'math', content)
  const [event] = await queue.events()
  const html = String(event?.message?.content)
  expect(html.length).toBeLessThan(20 * content.length)
  expect(html).toContain('class="katex"')
  expect(html).toContain('tex-error')
})
