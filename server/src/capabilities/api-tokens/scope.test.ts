import { beforeEach, describe, expect, it } from 'vitest'
import { capabilities } from '../../capabilities.ts'
import type { Access } from '../../kernel/endpoint.ts'
import { fetchAs, fetchUnauthenticated, PIXEL, upload } from '../../testing/files.ts'
import { objectsIn } from '../../testing/json.ts'
import { samplePath, samplesFor } from '../../testing/samples.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { callWithToken, makeToken, OUT_OF_SCOPE } from './testing/tokens.ts'

const server = useTestServer()
let organization: TestOrganization
let owner: TestUser

beforeEach(async () => {
  organization = await server().organization()
  owner = organization.owner
})

const ENDPOINTS = capabilities
  .flatMap(({ routes }) => routes.map(({ endpoint }) => endpoint))
  .filter(({ authentication = 'required' }) => authentication !== 'none')

/** Endpoints that create or change credentials, and endpoints for people at a screen. */
const CLOSED_ENDPOINTS = [
  'beginPasskey',
  'beginSecondFactor',
  'confirmSecondFactor',
  'createApiToken',
  'createBot',
  'createDataExport',
  'createInviteLink',
  'createPasskey',
  'createUser',
  'endSession',
  'getApiTokens',
  'getAuditLog',
  'getBotApiKey',
  'getBotService',
  'getBots',
  'getDataExports',
  'getInviteLink',
  'getInvites',
  'getPasskeys',
  'getPushSubscriptions',
  'getSecondFactor',
  'getSecondFactorOf',
  'getSessions',
  'logout',
  'makePasswordLink',
  'regenerateBotApiKey',
  'regenerateBotToken',
  'regenerateOwnApiKey',
  'removePasskey',
  'removeSecondFactor',
  'removeSecondFactorOf',
  'renewChannelEmailAddress',
  'renewRecoveryCodes',
  'revokeApiToken',
  'sendInvites',
  'updateBot',
  'updateRealm',
  'updateSettings',
  'updateUser',
]

it.each<[string, Body, (access: Access) => boolean]>([
  ['can write', { is_read_only: false }, ({ forTokens }) => forTokens !== undefined],
  ['can read', {}, ({ forTokens }) => forTokens === 'reading'],
  [
    'can write in a channel',
    { is_read_only: false, limited: true },
    ({ forChannelTokens }) => forChannelTokens === true,
  ],
  [
    'can read in a channel',
    { limited: true },
    ({ forTokens, forChannelTokens }) => forTokens === 'reading' && forChannelTokens === true,
  ],
])(
  'lets a token that %s call only endpoints declared for tokens of that kind',
  async (_, { limited, ...terms }, opens) => {
    const samples = await samplesFor(organization)
    await owner.subscribe(['commons'])
    const { stream_id: id } = await owner.call('GET', '/get_stream_id', { stream: 'commons' })
    const { token } = await makeToken(owner, { ...terms, ...(limited === true ? { channel_ids: [id] } : {}) })
    const look = await watch({ owner })
    const closed = ENDPOINTS.filter((endpoint) => !opens(endpoint))
    for (const endpoint of closed) {
      const { path, query } = samplePath(endpoint, samples)
      const { status, body } = await callWithToken(owner, token, endpoint.method, path, Object.fromEntries(query))
      expect([endpoint.id, status, body['code']]).toEqual([endpoint.id, 403, 'INSUFFICIENT_SCOPE'])
    }
    expect(closed.map((endpoint) => endpoint.id)).toEqual(expect.arrayContaining(CLOSED_ENDPOINTS))
    expect(await look()).toEqual({ owner: [] })
  },
)

it('keeps read-only tokens from changing data, and limits channel tokens to five endpoints', () => {
  const reading = ENDPOINTS.filter(({ forTokens, method }) => forTokens === 'reading' && method !== 'GET')
  // These endpoints manage the token's own event queue, or render text without storing it.
  expect(reading.map(({ id }) => id).toSorted()).toEqual(['deleteQueue', 'registerQueue', 'renderContent'])
  const limited = ENDPOINTS.filter(({ forChannelTokens }) => forChannelTokens === true)
  expect(limited.map(({ id }) => id).toSorted()).toEqual([
    'getMessage',
    'getMessages',
    'getOwnUser',
    'getStreamTopics',
    'sendMessage',
  ])
})

describe('token event queues', () => {
  it('gives API tokens no events about bots, and no access to event queues registered by other clients', async () => {
    const { token } = await makeToken(owner)
    for (const parameters of [
      {},
      { event_types: ['message', 'realm_bot'] },
      { event_types: ['message'], fetch_event_types: ['realm_bot'] },
      { event_types: ['message'], fetch_event_types: ['realm'] },
    ]) {
      const answer = await callWithToken(owner, token, 'POST', '/register', parameters)
      expect([answer.status, answer.body]).toEqual([403, expect.objectContaining(OUT_OF_SCOPE)])
    }
    const all = await callWithToken(owner, token, 'GET', '/events', { dont_block: true })
    expect(all.body).toMatchObject(OUT_OF_SCOPE)
    const others = await owner.register()
    const stolen = { queue_id: others.id, last_event_id: -1, dont_block: true }
    expect((await callWithToken(owner, token, 'GET', '/events', stolen)).body['code']).toBe('BAD_EVENT_QUEUE_ID')
    expect((await callWithToken(owner, token, 'DELETE', '/events', { queue_id: others.id })).body['code']).toBe(
      'BAD_EVENT_QUEUE_ID',
    )
    const another = await makeToken(owner)
    const { body } = await callWithToken(owner, another.token, 'POST', '/register', { event_types: ['message'] })
    const foreign = { queue_id: body['queue_id'], last_event_id: -1, dont_block: true }
    expect((await callWithToken(owner, token, 'GET', '/events', foreign)).body['code']).toBe('BAD_EVENT_QUEUE_ID')
    await organization.user('Bea Bot', { bot: { ownerId: owner.id } })
    await owner.sendTo([owner.id], 'Hello')
    const { body: heard } = await callWithToken(owner, another.token, 'GET', '/events', foreign)
    expect(objectsIn(heard['events']).map(({ type }) => type)).toEqual(['message'])
    expect(
      (await callWithToken(owner, another.token, 'DELETE', '/events', { queue_id: body['queue_id'] })).status,
    ).toBe(200)
  })
})

describe('channel tokens', () => {
  let token: string
  let here: number
  let elsewhere: number

  beforeEach(async () => {
    await owner.subscribe(['here', 'elsewhere'])
    here = (await owner.call('GET', '/get_stream_id', { stream: 'here' }))['stream_id']
    elsewhere = (await owner.call('GET', '/get_stream_id', { stream: 'elsewhere' }))['stream_id']
    ;({ token } = await makeToken(owner, { is_read_only: false, channel_ids: [here] }))
  })

  it('lets a channel token send only to its channel and hides whether other channels exist', async () => {
    const send = async (parameters: Body) =>
      callWithToken(owner, token, 'POST', '/messages', { type: 'stream', topic: 'x', content: 'x', ...parameters })
    expect((await send({ to: here })).status).toBe(200)
    expect((await send({ to: 'here' })).status).toBe(200)
    for (const to of [elsewhere, 'elsewhere', 999_999, 'nowhere', String(elsewhere)]) {
      const { status, body } = await send({ to })
      expect([status, body]).toEqual([403, expect.objectContaining(OUT_OF_SCOPE)])
    }
    for (const to of [[owner.id], [owner.email], ['nobody@example.org']]) {
      expect((await send({ type: 'direct', to })).body).toMatchObject(OUT_OF_SCOPE)
    }
  })

  it('lets a channel token read only its channel', async () => {
    const found = await owner.send('here', 'x', 'xylophone')
    const hidden = await owner.send('elsewhere', 'x', 'xylophone')
    const direct = await owner.sendTo([owner.id], 'xylophone')
    const read = async (parameters: Body) =>
      callWithToken(owner, token, 'GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0, ...parameters })
    const idsIn = ({ body }: Awaited<ReturnType<typeof read>>) => objectsIn(body['messages']).map(({ id }) => id)
    const inside = { operator: 'channel', operand: here }
    for (const narrow of [
      [inside],
      [{ operator: 'stream', operand: 'here' }],
      [inside, { operator: 'search', operand: 'xylophone' }],
    ]) {
      expect(idsIn(await read({ narrow }))).toEqual([found])
    }
    for (const narrow of [
      [],
      [{ operator: 'search', operand: 'xylophone' }],
      [{ operator: 'channel', operand: elsewhere }],
      [{ operator: 'channel', operand: 999_999 }],
      [{ operator: 'channel', operand: 'nowhere' }],
      [{ ...inside, negated: true }],
      [{ operator: 'channels', operand: 'public' }],
      [{ operator: 'is', operand: 'dm' }],
      [{ operator: 'id', operand: hidden }],
      [inside, { operator: 'with', operand: hidden }],
      [inside, { operator: 'with', operand: direct }],
    ]) {
      const { status, body } = await read({ narrow })
      expect([status, body]).toEqual([403, expect.objectContaining(OUT_OF_SCOPE)])
    }
    const both = [inside, { operator: 'channel', operand: elsewhere }]
    expect(idsIn(await read({ narrow: both }))).toEqual([])
    expect(idsIn(await read({ narrow: [inside], anchor: String(hidden) }))).toEqual([found])
    const named = { message_ids: [found, hidden, direct], narrow: [inside] }
    expect(idsIn(await callWithToken(owner, token, 'GET', '/messages', named))).toEqual([found])
    const all = await callWithToken(owner, token, 'GET', '/messages', { message_ids: [hidden] })
    expect(all.body).toMatchObject(OUT_OF_SCOPE)
  })

  it('shows a channel token only messages and topics of its channel', async () => {
    const found = await owner.send('here', 'x', 'one')
    const hidden = await owner.send('elsewhere', 'x', 'two')
    expect((await callWithToken(owner, token, 'GET', `/messages/${found}`)).status).toBe(200)
    const unknown = await callWithToken(owner, token, 'GET', '/messages/999999')
    for (const id of [hidden, await owner.sendTo([owner.id], 'three')]) {
      expect((await callWithToken(owner, token, 'GET', `/messages/${id}`)).body).toEqual(unknown.body)
    }
    expect((await callWithToken(owner, token, 'GET', `/users/me/${here}/topics`)).body['topics']).toHaveLength(1)
    for (const id of [elsewhere, 999_999]) {
      expect((await callWithToken(owner, token, 'GET', `/users/me/${id}/topics`)).body).toMatchObject(OUT_OF_SCOPE)
    }
  })

  it("prevents a channel token from attaching the owner's files or revealing which files exist", async () => {
    const member = await organization.user('Mia')
    await member.subscribe(['here'])
    const url = await upload(owner, 'secret.png', PIXEL)
    const { pathname } = new URL(url, owner.url)
    const missing = pathname.replace(/secret\.png$/, 'nothing.png')
    const watching = await member.register({ event_types: ['message', 'attachment'], apply_markdown: true })
    const own = await owner.register({ event_types: ['attachment'] })
    const html: string[] = []
    for (const path of [pathname, missing]) {
      const content = `[a file](${path})`
      const sent = { type: 'stream', to: here, topic: 'x', content }
      const { status, body } = await callWithToken(owner, token, 'POST', '/messages', sent)
      expect(status).toBe(200)
      const { message } = await member.call('GET', `/messages/${String(body['id'])}`)
      html.push(message['content'].replaceAll(/secret|nothing/g, 'NAME'))
    }
    expect(html[0]).toBe(html[1])
    expect((await watching.events()).map(({ type }) => type)).toEqual(['message', 'message'])
    expect(await own.events()).toEqual([])
    expect((await fetchAs(member, url)).status).not.toBe(200)
    const { attachments } = await owner.call('GET', '/attachments')
    expect(attachments.map(({ messages }) => messages)).toEqual([[]])
    // A message from the owner grants its readers access to a linked file, even if a token sends the message.
    const { token: writer } = await makeToken(owner, { is_read_only: false })
    const sent = { type: 'stream', to: here, topic: 'x', content: `[a file](${pathname})` }
    expect((await callWithToken(owner, writer, 'POST', '/messages', sent)).status).toBe(200)
    expect((await fetchAs(member, url)).status).toBe(200)
  })

  it('serves files to API tokens, except tokens limited to a channel', async () => {
    const url = await upload(owner, 'a.txt', 'secret')
    expect((await fetchUnauthenticated(owner, url, { authorization: `Bearer ${token}` })).status).toBe(403)
    const { token: reader } = await makeToken(owner)
    expect((await fetchUnauthenticated(owner, url, { authorization: `Bearer ${reader}` })).bytes.toString()).toBe(
      'secret',
    )
  })
})

describe('write tokens', () => {
  it('lets a write token subscribe only its owner and hides whether other users exist', async () => {
    const member = await organization.user('Mia')
    const { token } = await makeToken(owner, { is_read_only: false })
    await owner.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'there' }],
      principals: [owner.id, member.id],
    })
    const look = await watch({ owner, member })
    const subscribersOf = async (): Promise<unknown> => {
      const { stream_id: id } = await owner.call('GET', '/get_stream_id', { stream: 'there' })
      return (await owner.call('GET', `/streams/${String(id)}/members`))['subscribers']
    }
    for (const principals of [
      [member.id],
      [owner.id, member.id],
      [member.email],
      [owner.email, member.email],
      [999_999],
      ['nobody@example.org'],
    ]) {
      for (const [method, subscriptions] of [
        ['POST', [{ name: 'there' }]],
        ['POST', [{ name: 'new' }]],
        ['DELETE', ['there']],
      ] as const) {
        const asked = { subscriptions, principals }
        const { status, body } = await callWithToken(owner, token, method, '/users/me/subscriptions', asked)
        expect([status, body]).toEqual([403, expect.objectContaining(OUT_OF_SCOPE)])
      }
    }
    expect(await look()).toEqual({ owner: [], member: [] })
    expect(await subscribersOf()).toEqual([owner.id, member.id])
    expect((await owner.try('GET', '/get_stream_id', { stream: 'new' })).status).toBe(400)
    for (const principals of [[owner.id], [owner.email.toUpperCase()], []]) {
      const there = { subscriptions: ['there'], principals }
      expect((await callWithToken(owner, token, 'DELETE', '/users/me/subscriptions', there)).status).toBe(200)
      expect(await subscribersOf()).toEqual([member.id])
      const back = { subscriptions: [{ name: 'there' }], principals }
      expect((await callWithToken(owner, token, 'POST', '/users/me/subscriptions', back)).status).toBe(200)
    }
  })
})
