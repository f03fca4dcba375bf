import { describe, expect, it } from 'vitest'
import {
  startTestServer,
  startTestServerOn,
  useTestServer,
  type TestOrganization,
  type TestServer,
} from '../../testing/server.ts'
import { objectWith, textLike, textWith } from '../../testing/expected.ts'
import { parseObject } from '../../testing/json.ts'
import { basic, callApi, TestUser, type Answer, type Body } from '../../testing/user.ts'
import { INBOX_QUERY, createTwins } from './testing/twins.ts'

const server = useTestServer()

async function callAnonymously(method: string, path: string, host: string, parameters: Body = {}): Promise<Answer> {
  return callApi(server().parley.url, host, method, path, parameters)
}

describe('server settings', () => {
  const OF_THE_SERVER = {
    authentication_methods: objectWith({ password: true, email: true, ldap: false }),
    external_authentication_methods: [],
    service_feature_level: 420,
    service_version: '0.1.0',
    service_merge_base: '',
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
  }

  it('describes the server and the organization at the requested host to anyone', async () => {
    const { host } = await server().organization('Die Möwen & <Co>')
    const { status, body } = await callAnonymously('GET', '/server_settings', host)
    const url = textLike(new RegExp(`^http://${host}:\\d+$`))
    expect([status, body]).toEqual([
      200,
      {
        result: 'success',
        msg: '',
        ...OF_THE_SERVER,
        realm_url: url,
        realm_uri: url,
        realm_name: 'Die Möwen & <Co>',
        realm_icon: textLike(/^http:\/\/.+\/static\/icon\.svg$/),
        realm_description: '',
        realm_web_public_access_enabled: false,
      },
    ])
    expect((await callAnonymously('GET', '/server_settings', host.toUpperCase())).body).toEqual(body)
    expect((await callAnonymously('GET', '/server_settings', `${host}:8800`)).body).toEqual(body)
  })

  it.each(['parley.test', 'nowhere.parley.test', 'a.b.parley.test', 'example.com', '127.0.0.1', 'notparley.test'])(
    'describes only the server at %s, which has no organization',
    async (host) => {
      const { status, body } = await callAnonymously('GET', '/server_settings', host)
      expect([status, body]).toEqual([200, { result: 'success', msg: '', ...OF_THE_SERVER }])
    },
  )

  it('returns server settings despite wrong credentials or unknown parameters', async () => {
    const { host } = await server().organization()
    const headers = { authorization: basic('nobody@example.com', 'wrong') }
    const { url } = server().parley
    const { status, body } = await callApi(url, host, 'GET', '/server_settings', { shade: 'blue' }, { headers })
    expect([status, body['ignored_parameters_unsupported']]).toEqual([200, ['shade']])
  })
})

describe('hosts without an organization', () => {
  it.each([
    ['GET', '/users'],
    ['POST', '/messages'],
    ['POST', '/register'],
    ['POST', '/fetch_api_key'],
  ])('answers %s %s with a nonexistent subdomain error', async (method, path) => {
    const { owner } = await server().organization()
    const lost = new TestUser(owner.url, 'nowhere.parley.test', owner.email, owner.apiKey, owner.id)
    const parameters = { username: owner.email, password: 'correct horse' }
    const { status, body } = await lost.try(method, path, parameters)
    expect([status, body['code']]).toEqual([404, 'NONEXISTENT_SUBDOMAIN'])
  })
})

describe('register response', () => {
  it("returns the organization's name and limits", async () => {
    const { owner, host } = await server().organization('The Gulls')
    const { state } = await owner.register({ fetch_event_types: ['realm'] })
    expect(state).toMatchObject({
      realm_name: 'The Gulls',
      realm_description: '',
      realm_url: textWith(host),
      realm_bot_domain: host,
      max_stream_name_length: 60,
      max_stream_description_length: 1_024,
      max_topic_length: 60,
      max_message_length: 10_000,
      max_channel_folder_name_length: 60,
      max_channel_folder_description_length: 1_024,
      realm_empty_topic_display_name: 'general chat',
      realm_topics_policy: 'allow_empty_topic',
      realm_message_content_edit_limit_seconds: 600,
      realm_move_messages_within_stream_limit_seconds: 604_800,
      realm_move_messages_between_streams_limit_seconds: 604_800,
      // Clients wait longer than the server, so that the server always ends the poll.
      event_queue_longpoll_timeout_seconds: 90,
    })
  })

  it('returns the settings for editing and moving messages', async () => {
    const { owner } = await server().organization()
    const { state } = await owner.register({ fetch_event_types: ['realm'] })
    const { user_groups } = await owner.call('GET', '/user_groups')
    const group = (name: string): unknown => user_groups.find((one) => one.name === name)?.id
    expect(state).toMatchObject({
      realm_allow_message_editing: true,
      realm_message_content_edit_limit_seconds: 600,
      realm_move_messages_within_stream_limit_seconds: 604_800,
      realm_move_messages_between_streams_limit_seconds: 604_800,
      realm_can_resolve_topics_group: group('role:everyone'),
      realm_can_move_messages_between_topics_group: group('role:everyone'),
      realm_can_move_messages_between_channels_group: group('role:members'),
    })
  })
})

it("reports the server's start time, which changes after a restart", async () => {
  const [first, begun] = [await startTestServer(), Math.floor(Date.now() / 1000)]
  const { owner, host } = await first.organization()
  const generationAt = async ({ parley: { url } }: TestServer): Promise<unknown> => {
    const again = new TestUser(url, host, owner.email, owner.apiKey, owner.id)
    return (await again.register({ fetch_event_types: ['realm'] })).state['server_generation']
  }
  const generation = await generationAt(first)
  expect([generation, await generationAt(first)]).toEqual([begun, begun].map(() => generation))
  // The server started shortly before the first request.
  expect(Number(generation)).toBeLessThanOrEqual(begun)
  expect(Number(generation)).toBeGreaterThan(begun - 600)
  await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(begun)
  const second = await startTestServerOn(first.database)
  expect(Number(await generationAt(second))).toBeGreaterThan(Number(generation))
  await second.close()
  await first.close()
})

/** Uses the same credentials at another organization's host. */
function atOrganization(user: TestUser, to: TestOrganization): TestUser {
  return new TestUser(user.url, to.host, user.email, user.apiKey, user.id)
}

describe('two organizations on one server', () => {
  it('keeps people, channels, and messages of two organizations separate even with equal names', async () => {
    const [first, second] = await createTwins(server())
    await first.owner.send('general', 'hello', 'only for the first')
    const { messages } = await second.owner.call('GET', '/messages', INBOX_QUERY)
    expect(messages.map((message) => message.content)).toEqual(['<p>Hello, twins</p>'])
    expect((await first.owner.call('GET', '/messages', INBOX_QUERY))['messages']).toHaveLength(2)
    expect(first.people.map(({ email }) => email)).toEqual(second.people.map(({ email }) => email))
  })

  it("rejects another organization's keys and passwords for the same email address", async () => {
    const [first, second] = await createTwins(server())
    for (const person of first.people) {
      const { status, body } = await atOrganization(person, second.organization).try('GET', '/users/me')
      expect([status, body['code']]).toEqual([401, 'INVALID_API_KEY'])
    }
    const { owner } = first
    await owner.call('POST', '/users', { email: 'nora@example.com', full_name: 'Nora', password: 'in the first' })
    const login = { username: 'nora@example.com', password: 'in the first' }
    const { status, body } = await callAnonymously('POST', '/fetch_api_key', second.organization.host, login)
    expect([status, body['code']]).toEqual([401, 'AUTHENTICATION_FAILED'])
    expect((await callAnonymously('POST', '/fetch_api_key', first.organization.host, login)).status).toBe(200)
  })

  it('treats IDs, names, and queues of another organization as missing', async () => {
    const [first, second] = await createTwins(server())
    // Makes the first log longer, so that its newer IDs do not exist in the second.
    for (let count = 0; count < 20; count += 1) await first.owner.send('general', 'hello', `Number ${count}`)
    const message = await first.owner.send('general', 'hello', 'the last')
    await first.owner.subscribe(['theirs'])
    const { streams } = await first.owner.call('GET', '/streams')
    const channel = Number(streams.find((one) => one.name === 'theirs')?.stream_id)
    const user = await first.organization.user('Nina Neighbor')
    const queue = await first.owner.register()
    const here = second.owner
    const ways: [string, (id: number | string) => Promise<Answer>, number | string, number | string][] = [
      ['message', async (id) => here.try('GET', `/messages/${id}`), message, 987_654],
      ['flag', async (id) => star(here, id), message, 987_654],
      ['around', async (id) => here.try('GET', '/messages', { ...INBOX_QUERY, anchor: id }), message, 987_654],
      ['send', async (id) => sendTyped(here, 'channel', id), channel, 987_654],
      ['send by name', async (id) => sendTyped(here, 'channel', id), 'theirs', 'nowhere'],
      [
        'leave',
        async (id) => here.try('DELETE', '/users/me/subscriptions', { subscriptions: [id] }),
        'theirs',
        'nowhere',
      ],
      ['whisper', async (id) => sendTyped(here, 'direct', [id]), user.id, 987_654],
      ['whisper by name', async (id) => sendTyped(here, 'direct', [id]), user.email, 'x@example.com'],
      ['user', async (id) => here.try('GET', `/users/${id}`), user.id, 987_654],
      ['users', async (id) => here.try('GET', '/users', { user_ids: [id] }), user.id, 987_654],
      ['user by name', async (id) => here.try('GET', `/users/${id}`), user.email, 'x@example.com'],
      ['rename', async (id) => here.try('PATCH', `/users/${id}`, { full_name: 'x' }), user.id, 987_654],
      ['end', async (id) => here.try('DELETE', `/users/${id}`), user.id, 987_654],
      ['resume', async (id) => here.try('POST', `/users/${id}/reactivate`), user.id, 987_654],
      [
        'subscribe',
        async (id) => here.try('POST', '/users/me/subscriptions', { subscriptions: [], principals: [id] }),
        user.id,
        987_654,
      ],
      [
        'poll',
        async (id) => here.try('GET', '/events', { queue_id: id, last_event_id: -1 }),
        queue.id,
        'no-such-queue',
      ],
      ['drop', async (id) => here.try('DELETE', '/events', { queue_id: id }), queue.id, 'no-such-queue'],
    ]
    for (const [name, way, foreign, absent] of ways) {
      const [answer, expected] = [await way(foreign), await way(absent)]
      const text = JSON.stringify(answer).replace(new RegExp(`\\b${foreign}\\b`, 'g'), String(absent))
      expect([name, statusAndBody(parseObject(text))]).toEqual([name, statusAndBody(expected)])
    }
    expect(await queue.events()).toEqual([])
    expect((await first.owner.call('GET', `/users/${user.id}`))['user']).toMatchObject({ is_active: true })
  })
})

function statusAndBody({ status, body }: Answer | Body): unknown {
  return { status, body }
}

async function sendTyped(user: TestUser, type: string, to: unknown): Promise<Answer> {
  return user.try('POST', '/messages', { type, to, topic: 'x', content: 'x' })
}

async function star(user: TestUser, id: number | string): Promise<Answer> {
  return user.try('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
}
