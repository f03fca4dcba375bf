import { expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'

const server = useTestServer()

async function createChannel(
  owner: TestUser,
  name: string,
  isPrivate: boolean,
  others: readonly TestUser[] = [],
): Promise<number> {
  await owner.subscribe([name], { invite_only: isPrivate, principals: [owner.id, ...others.map(({ id }) => id)] })
  return (await owner.call('GET', '/get_stream_id', { stream: name }))['stream_id']
}

const channelsOpenToTools = async (user: TestUser): Promise<unknown> =>
  (await user.call('GET', '/tool_access'))['stream_ids']

it('opens only public channels to AI tools by default and lists only visible channels', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const [talk, secret] = [await createChannel(owner, 'talk', false), await createChannel(owner, 'secret', true)]
  expect(await ann.call('GET', '/tool_access')).toMatchObject({ access: 'channels', stream_ids: [talk] })
  const queues = [await owner.register(), await ann.register()]
  await owner.call('PATCH', `/streams/${secret}/tool_access`, { is_allowed: true })
  await owner.call('PATCH', `/streams/${talk}/tool_access`, { is_allowed: false })
  expect([await channelsOpenToTools(owner), await channelsOpenToTools(ann)]).toEqual([[secret], []])
  // Tool access is not part of client state, so changing it sends no events.
  for (const queue of queues) expect(await queue.events()).toEqual([])
})

it("keeps a channel's chosen AI tool access when the channel becomes private or public", async () => {
  const { owner } = await server().organization()
  const [chosen, unchosen] = [
    await createChannel(owner, 'chosen', false),
    await createChannel(owner, 'unchosen', false),
  ]
  await owner.call('PATCH', `/streams/${chosen}/tool_access`, { is_allowed: true })
  for (const id of [chosen, unchosen]) await owner.call('PATCH', `/streams/${id}`, { is_private: true })
  expect(await channelsOpenToTools(owner)).toEqual([chosen])
  for (const id of [chosen, unchosen]) await owner.call('PATCH', `/streams/${id}`, { is_private: false })
  expect(await channelsOpenToTools(owner)).toEqual([chosen, unchosen])
  await owner.call('PATCH', `/streams/${chosen}/tool_access`, { is_allowed: false })
  expect(await channelsOpenToTools(owner)).toEqual([unchosen])
})

it("lets channel administrators set a channel's AI tool access, and administrators set the default", async () => {
  const { owner, user } = await server().organization()
  const [ann, administrator] = [await user('Ann'), await user('Ada', { role: ROLE.administrator })]
  const [talk, secret] = [await createChannel(owner, 'talk', false), await createChannel(owner, 'secret', true)]
  expect(await ann.try('PATCH', `/streams/${talk}/tool_access`, { is_allowed: false })).toMatchObject({
    status: 400,
    body: { code: 'CANNOT_ADMINISTER_CHANNEL' },
  })
  const [hidden, absent] = [
    await ann.try('PATCH', `/streams/${secret}/tool_access`, { is_allowed: true }),
    await ann.try('PATCH', '/streams/999999/tool_access', { is_allowed: true }),
  ]
  expect(hidden.status).toBe(400)
  expect(hidden.body).toEqual(absent.body)
  expect((await ann.try('PATCH', '/tool_access', { access: 'everything' })).body).toMatchObject({ code: 'BAD_REQUEST' })
  expect(await owner.call('GET', '/tool_access')).toMatchObject({ access: 'channels', stream_ids: [talk] })
  await administrator.call('PATCH', `/streams/${secret}/tool_access`, { is_allowed: true })
  for (const access of ['everything', 'everything', 'nothing'])
    await administrator.call('PATCH', '/tool_access', { access })
  expect(await owner.call('GET', '/tool_access')).toMatchObject({ access: 'nothing', stream_ids: [talk, secret] })
})

it('audits changes of AI tool access with old and new values', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const talk = await createChannel(owner, 'talk', false)
  const entries = async (): Promise<Body[]> => {
    const all = (await owner.call('GET', '/audit_log')).entries
    return all.toReversed().map(({ id: _id, timestamp: _timestamp, ...entry }) => entry)
  }
  const known = (await entries()).length
  for (const is_allowed of [true, true, false])
    await owner.call('PATCH', `/streams/${talk}/tool_access`, { is_allowed })
  await ann.try('PATCH', `/streams/${talk}/tool_access`, { is_allowed: true })
  await ann.try('PATCH', '/tool_access', { access: 'everything' })
  for (const access of ['everything', 'everything', 'nothing']) await owner.call('PATCH', '/tool_access', { access })
  const ofChannel = { kind: 'channels', target: { type: 'channel', id: talk, name: 'talk' } }
  const of = { acting_user_id: owner.id, action: 'changed' }
  expect((await entries()).slice(known)).toEqual([
    { ...of, ...ofChannel, changes: [{ property: 'tool_access', to: true }] },
    { ...of, ...ofChannel, changes: [{ property: 'tool_access', from: true, to: false }] },
    ...[
      ['channels', 'everything'],
      ['everything', 'nothing'],
    ].map(([from, to]) => ({
      ...of,
      kind: 'settings',
      target: null,
      changes: [{ property: 'tool_access', from, to }],
    })),
  ])
})

it('rejects invalid AI tool access values', async () => {
  const { owner } = await server().organization()
  const talk = await createChannel(owner, 'talk', false)
  for (const access of ['', 'all', 'Everything', 1, null]) {
    expect((await owner.try('PATCH', '/tool_access', { access })).body).toMatchObject({
      code: 'REQUEST_VARIABLE_INVALID',
    })
  }
  for (const is_allowed of ['perhaps', 1, null]) {
    const { status } = await owner.try('PATCH', `/streams/${talk}/tool_access`, { is_allowed })
    expect(status).toBe(400)
  }
  expect((await owner.try('PATCH', `/streams/${talk}/tool_access`)).body).toMatchObject({
    code: 'REQUEST_VARIABLE_MISSING',
  })
  expect(await owner.call('GET', '/tool_access')).toMatchObject({ access: 'channels', stream_ids: [talk] })
})
