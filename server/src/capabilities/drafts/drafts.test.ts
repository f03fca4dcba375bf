import { expect, it } from 'vitest'
import { objectsIn } from '../../testing/json.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Answer } from '../../testing/user.ts'
import { DRAFT_LIMIT, STORED_CHARACTER_LIMIT } from './contract.ts'

const server = useTestServer()

async function createChannel(
  { owner }: TestOrganization,
  name: string,
  more: Record<string, unknown> = {},
): Promise<number> {
  await owner.subscribe([name], more)
  const { streams } = await owner.call('GET', '/streams')
  return Number(streams.find((one) => one.name === name)?.stream_id)
}

function draft(content: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: '', to: [], topic: '', content, ...more }
}

it('stores drafts and sends changes only to their author', async () => {
  const organization = await server().organization()
  const { owner } = organization
  const ann = await organization.user('Ann')
  const channelId = await createChannel(organization, 'Plans')
  const [own, others] = [await ann.register(), await owner.register()]
  expect(own.state['drafts']).toEqual([])
  const begun = [
    draft('To all', { type: 'stream', to: [channelId], topic: 'lunch', timestamp: 1_595_479_019 }),
    draft('To you', { type: 'private', to: [owner.id, ann.id], timestamp: 1_595_479_020 }),
    draft('To whom?', { timestamp: 0 }),
  ]
  const { ids } = await ann.call('POST', '/drafts', { drafts: begun })
  const [first, second, third] = ids
  const kept = begun.map((one, index) => ({ ...one, id: ids[index] }))
  expect(await ann.call('GET', '/drafts')).toMatchObject({ count: 3, drafts: kept })
  expect((await ann.register()).state['drafts']).toEqual(kept)
  const changed = draft('To me', { id: first, type: 'private', to: [ann.id], timestamp: 1_595_479_021 })
  await ann.call('PATCH', `/drafts/${first}`, { draft: changed })
  await ann.call('DELETE', `/drafts/${second}`)
  expect((await ann.call('GET', '/drafts'))['drafts']).toEqual([changed, kept[2]])
  expect(await own.events()).toMatchObject([
    { type: 'drafts', op: 'add', drafts: kept },
    { type: 'drafts', op: 'update', draft: changed },
    { type: 'drafts', op: 'remove', draft_id: second },
  ])
  expect(await others.events()).toEqual([])
  expect(await owner.call('GET', '/drafts')).toMatchObject({ count: 0, drafts: [] })
  expect(third).toBeGreaterThan(Number(second))
})

it("stores a draft's creation time, and only the recipients that its type uses", async () => {
  const organization = await server().organization()
  const { owner } = organization
  const before = Math.floor(Date.now() / 1000)
  await owner.call('POST', '/drafts', {
    drafts: [
      draft('a', { to: [owner.id], topic: 'x' }),
      draft('b', { type: 'private', to: [owner.id, owner.id], topic: 'x' }),
      draft('c', { type: 'private' }),
    ],
  })
  const { drafts } = await owner.call('GET', '/drafts')
  expect(drafts).toMatchObject([
    { type: '', to: [], topic: '' },
    { type: 'private', to: [owner.id], topic: '' },
    { type: 'private', to: [] },
  ])
  for (const { timestamp } of drafts) expect(timestamp).toBeGreaterThanOrEqual(before)
  const queue = await owner.register()
  expect((await owner.call('POST', '/drafts', { drafts: [] }))['ids']).toEqual([])
  expect(await queue.events()).toEqual([])
})

it('stores the empty topic of a draft in one form, and sends each client the name that it expects', async () => {
  const organization = await server().organization()
  const { owner } = organization
  const to = [await createChannel(organization, 'Plans')]
  const old = await owner.register({ client_capabilities: {} })
  const own = await owner.register({ client_capabilities: { empty_topic_name: true } })
  const begun = ['', ' ', '(no topic)', 'general chat'].map((topic) => draft('x', { type: 'stream', to, topic }))
  const { ids } = await owner.call('POST', '/drafts', { drafts: [...begun, draft('To whom?')] })
  await owner.call('PATCH', `/drafts/${String(ids[0])}`, { draft: begun[2] })
  const topics = (list: unknown): unknown[] => objectsIn(list).map(({ topic }) => topic)
  expect(topics((await owner.call('GET', '/drafts'))['drafts'])).toEqual(['', '', '', '', ''])
  for (const [queue, name] of [
    [old, 'general chat'],
    [own, ''],
  ] as const) {
    const [added, updated] = await queue.events()
    expect(topics(added?.['drafts'])).toEqual([name, name, name, name, ''])
    expect(topics([updated?.['draft']])).toEqual([name])
    const fresh = await owner.register({ client_capabilities: { empty_topic_name: name === '' } })
    expect(topics(fresh.state['drafts'])).toEqual([name, name, name, name, ''])
  }
})

it("treats another person's draft as missing", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const { ids } = await ann.call('POST', '/drafts', { drafts: [draft('Mine')] })
  const [own, others] = [await ann.register(), await owner.register()]
  for (const method of ['PATCH', 'DELETE']) {
    const hidden = await owner.try(method, `/drafts/${String(ids)}`, { draft: draft('Yours') })
    const absent = await owner.try(method, '/drafts/999999', { draft: draft('Yours') })
    expect([hidden.status, hidden.body]).toEqual([400, absent.body])
    expect(hidden.body['code']).toBe('BAD_REQUEST')
  }
  expect((await ann.call('GET', '/drafts'))['drafts']).toMatchObject([{ content: 'Mine' }])
  expect([await own.events(), await others.events()]).toEqual([[], []])
})

it('treats a hidden channel of a draft as missing', async () => {
  const organization = await server().organization()
  const ann = await organization.user('Ann')
  const hiddenId = await createChannel(organization, 'Secret', { invite_only: true })
  const attempt = async (to: number[]): Promise<unknown> => {
    const { status, body } = await ann.try('POST', '/drafts', {
      drafts: [draft('fine'), draft('x', { type: 'stream', to })],
    })
    return [status, body]
  }
  const absent = await attempt([999_999])
  expect(await attempt([hiddenId])).toEqual(absent)
  expect(absent).toMatchObject([400, { code: 'BAD_REQUEST', msg: 'Invalid channel ID' }])
  expect(await attempt([])).toMatchObject([400, { code: 'BAD_REQUEST' }])
  expect(await attempt([hiddenId, hiddenId])).toMatchObject([400, { code: 'BAD_REQUEST' }])
  expect((await ann.call('GET', '/drafts'))['count']).toBe(0)
  await organization.owner.call('POST', '/drafts', { drafts: [draft('x', { type: 'stream', to: [hiddenId] })] })
})

it('rejects invalid drafts', async () => {
  const organization = await server().organization()
  const { owner } = organization
  const to = [await createChannel(organization, 'Plans')]
  const { ids } = await owner.call('POST', '/drafts', { drafts: [draft('good')] })
  const queue = await owner.register()
  for (const bad of [
    draft(''),
    draft(' \n'),
    draft('x', { type: 'private', to: [999_999] }),
    draft('x', { type: 'channel', to }),
    draft('x', { to: ['1'] }),
    draft('x', { timestamp: -1 }),
    draft('x', { timestamp: -0.5 }),
    draft('x', { timestamp: '1' }),
    draft('x', { timestamp: 1e300 }),
    draft('x', { color: 'red' }),
    draft('x', { type: 'stream', to, topic: 'a\u0007b' }),
    { type: '', to: [], content: 'no topic' },
    'text',
  ]) {
    expect((await owner.try('POST', '/drafts', { drafts: [bad] })).status).toBe(400)
    expect((await owner.try('PATCH', `/drafts/${String(ids)}`, { draft: JSON.stringify(bad) })).status).toBe(400)
  }
  expect((await owner.call('GET', '/drafts'))['drafts']).toMatchObject([{ content: 'good' }])
  expect(await queue.events()).toEqual([])
})

it('truncates draft timestamps to whole seconds', async () => {
  const { owner } = await server().organization()
  const { ids } = await owner.call('POST', '/drafts', { drafts: [draft('a', { timestamp: 1_595_479_019.987_65 })] })
  expect((await owner.call('GET', '/drafts'))['drafts']).toMatchObject([{ timestamp: 1_595_479_019 }])
  await owner.call('PATCH', `/drafts/${String(ids)}`, { draft: draft('a', { timestamp: 1_595_479_020.5 }) })
  expect((await owner.call('GET', '/drafts'))['drafts']).toMatchObject([{ timestamp: 1_595_479_020 }])
})

it('limits the topic and text length of a draft, and the number of drafts', async () => {
  const organization = await server().organization()
  const { owner } = organization
  const to = [await createChannel(organization, 'Plans')]
  const attempt = async (topic: string, content: string): Promise<number> =>
    (await owner.try('POST', '/drafts', { drafts: [draft(content, { type: 'stream', to, topic })] })).status
  expect(await attempt('😀'.repeat(60), '😀'.repeat(10_000))).toBe(200)
  expect(await attempt('😀'.repeat(61), 'x')).toBe(400)
  expect(await attempt('x', '😀'.repeat(10_001))).toBe(400)
  const many = (count: number): unknown[] => Array.from({ length: count }, (_, index) => draft(`Draft ${index}`))
  await owner.call('POST', '/drafts', { drafts: many(DRAFT_LIMIT.most - 2) })
  const full = await owner.try('POST', '/drafts', { drafts: many(2) })
  expect([full.status, full.body['code']]).toEqual([400, 'BAD_REQUEST'])
  await owner.call('POST', '/drafts', { drafts: many(1) })
  expect((await owner.call('GET', '/drafts'))['count']).toBe(DRAFT_LIMIT.most)
  expect((await owner.try('POST', '/drafts', { drafts: many(DRAFT_LIMIT.most + 1) })).status).toBe(400)
})

it("limits the total length of a person's drafts", async () => {
  const { owner } = await server().organization()
  const long = draft('x'.repeat(10_000))
  const many = (count: number): Promise<Answer> =>
    owner.try('POST', '/drafts', { drafts: Array.from({ length: count }, () => long) })
  expect((await many(STORED_CHARACTER_LIMIT.most / 10_000 - 1)).status).toBe(200)
  const { ids } = await owner.call('POST', '/drafts', { drafts: [draft('short'), draft('another')] })
  const [id, other] = ids
  const full = { code: 'BAD_REQUEST', msg: 'You can have at most 1000000 characters of drafts.' }
  expect((await owner.try('PATCH', `/drafts/${id}`, { draft: long })).body).toMatchObject(full)
  await owner.call('DELETE', `/drafts/${other}`)
  const queue = await owner.register()
  expect((await many(1)).body).toMatchObject(full)
  expect((await owner.try('PATCH', `/drafts/${id}`, { draft: long })).status).toBe(200)
  expect((await owner.try('POST', '/drafts', { drafts: [draft('x')] })).status).toBe(400)
  expect((await owner.call('GET', '/drafts'))['count']).toBe(STORED_CHARACTER_LIMIT.most / 10_000)
  expect(await queue.events()).toMatchObject([{ op: 'update', draft: { id } }])
})
