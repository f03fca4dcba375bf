import { beforeAll, describe, expect, it } from 'vitest'
import { anyText } from '../../testing/expected.ts'
import { sendRequest, ENCODINGS, expectRefusal, MULTIPART, multipart, type Fields } from '../../testing/requests.ts'
import type { Samples } from '../../testing/capability-samples.ts'
import { samplesFor } from '../../testing/samples.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Answer, TestUser } from '../../testing/user.ts'

const server = useTestServer()
let organization: TestOrganization
let owner: TestUser
let samples: Samples

beforeAll(async () => {
  organization = await server().organization()
  owner = organization.owner
  samples = await samplesFor(organization)
})

const message = { type: 'stream', to: 'general', topic: 'hello', content: 'x' }

async function post(path: string, fields: Fields): Promise<Answer> {
  return sendRequest(owner, 'POST', path, ENCODINGS.query(fields))
}

const ENCODING_NAMES = ['query', 'form', 'multipart', 'JSON'] as const

describe.each(ENCODING_NAMES)('parameters in %s', (encoding) => {
  const encoded = ENCODINGS[encoding]

  it('reads parameters of GET requests', async () => {
    const { status, body } = await sendRequest(owner, 'GET', '/users', encoded({ user_ids: `[${owner.id}]` }))
    expect(status).toBe(200)
    expect(body['members']).toMatchObject([{ user_id: owner.id }])
  })

  it('reads parameters of POST requests', async () => {
    const content = 'grüße 😀 & = + % "quoted"\nsecond line'
    const { status, body } = await sendRequest(owner, 'POST', '/messages', encoded({ ...message, content }))
    expect(status).toBe(200)
    const stored = await owner.call('GET', `/messages/${String(body['id'])}`)
    expect(stored['raw_content']).toBe(content)
  })

  it('reads parameters of PATCH requests', async () => {
    const user = await organization.user('Nora Name')
    const { status } = await sendRequest(owner, 'PATCH', `/users/${user.id}`, encoded({ full_name: 'Nora Néw' }))
    expect(status).toBe(200)
    expect(await owner.call('GET', `/users/${user.id}`)).toMatchObject({ user: { full_name: 'Nora Néw' } })
  })

  it('reads parameters of DELETE requests', async () => {
    await owner.subscribe(['passing'])
    const { status, body } = await sendRequest(
      owner,
      'DELETE',
      '/users/me/subscriptions',
      encoded({ subscriptions: '["passing"]' }),
    )
    expect(status).toBe(200)
    expect(body['removed']).toEqual(['passing'])
  })
})

describe('parameter values', () => {
  it('ignores up to 1,000 unknown fields of an object and rejects an object with more', async () => {
    const register = async (count: number): Promise<unknown[]> => {
      const fields = Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown ${index}`, true]))
      const { status, body } = await owner.try('POST', '/register', { client_capabilities: fields, event_types: [] })
      return [status, body['code']]
    }
    expect(await register(1_000)).toEqual([200, undefined])
    expect(await register(1_001)).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
  })

  it.each([
    ['a bare channel name', 'general'],
    ['a quoted channel name', '"general"'],
    ['a channel ID', () => String(samples.stream_id)],
    ['a list with one name', '["general"]'],
  ])('accepts %s as the channel to send to', async (_name, to) => {
    const answer = await post('/messages', { ...message, to: typeof to === 'string' ? to : to() })
    expect(answer.status).toBe(200)
  })

  it.each(['true', 'null', '1.5', '12 monkeys'])('accepts the bare word %s as a channel name', async (name) => {
    await owner.subscribe([name])
    expect((await post('/messages', { ...message, to: name })).status).toBe(200)
    expect((await post('/messages', { ...message, to: JSON.stringify(name) })).status).toBe(200)
  })

  it.each(['stream', '"stream"', 'channel', '"channel"'])('accepts %s as an enumeration value', async (type) => {
    expect((await post('/messages', { ...message, type })).status).toBe(200)
  })

  it('accepts a role only as a bare number', async () => {
    const user = await organization.user('Rob Role')
    expect((await sendRequest(owner, 'PATCH', `/users/${user.id}`, { query: 'role=300' })).status).toBe(200)
    expectRefusal(
      await sendRequest(owner, 'PATCH', `/users/${user.id}`, { query: 'role=301' }),
      'REQUEST_VARIABLE_INVALID',
    )
    expectRefusal(
      await sendRequest(owner, 'PATCH', `/users/${user.id}`, { query: 'role="300"' }),
      'REQUEST_VARIABLE_INVALID',
    )
  })

  it.each(['true', 'false'])('accepts %s as a boolean', async (value) => {
    expect((await sendRequest(owner, 'GET', '/users', { query: `client_external_avatar=${value}` })).status).toBe(200)
  })

  it.each(['True', 'yes', '1', '"true"', '', 'null'])('rejects %s as a boolean', async (value) => {
    expectRefusal(
      await sendRequest(owner, 'GET', '/users', { query: `client_external_avatar=${value}` }),
      'REQUEST_VARIABLE_INVALID',
    )
  })

  it('accepts numbers, booleans, and lists in a JSON body', async () => {
    const body = JSON.stringify({ ...message, to: samples.stream_id, read_by_sender: true, topic: 'as JSON' })
    expect((await sendRequest(owner, 'POST', '/messages', { type: 'application/json', body })).status).toBe(200)
    const direct = JSON.stringify({ type: 'direct', to: [owner.id], content: 'note' })
    expect((await sendRequest(owner, 'POST', '/messages', { type: 'application/json', body: direct })).status).toBe(200)
    const ids = JSON.stringify({ user_ids: [owner.id], client_external_avatar: false })
    expect((await sendRequest(owner, 'GET', '/users', { type: 'application/json', body: ids })).status).toBe(200)
  })

  it.each([
    ['null', null],
    ['an object', { a: 1 }],
    ['a list', ['x']],
    ['a boolean', true],
  ])('rejects %s as text in a JSON body', async (_name, content) => {
    const body = JSON.stringify({ ...message, content })
    expectRefusal(
      await sendRequest(owner, 'POST', '/messages', { type: 'application/json', body }),
      'REQUEST_VARIABLE_INVALID',
    )
  })

  it('accepts text up to the limit in code points and rejects longer text', async () => {
    expect((await post('/messages', { ...message, topic: '😀'.repeat(60) })).status).toBe(200)
    expectRefusal(await post('/messages', { ...message, topic: '😀'.repeat(61) }), 'REQUEST_VARIABLE_INVALID')
  })

  it.each([
    ['NUL', 'a\0b'],
    ['NUL in a topic', { topic: 'a\0b' }],
    ['NUL in JSON', { to: JSON.stringify(['a\0b']) }],
    ['half a surrogate pair in JSON', { to: '["\\ud83d"]' }],
    ['half a surrogate pair as a JSON text', { to: '"\\udc00"' }],
  ])('rejects a parameter with %s', async (_name, bad) => {
    const fields = typeof bad === 'string' ? { content: bad } : bad
    expectRefusal(await post('/messages', { ...message, ...fields }), 'REQUEST_VARIABLE_INVALID')
  })

  it('rejects half a surrogate pair in a JSON body', async () => {
    const body = JSON.stringify(message).replace('"x"', '"\\ud83d"')
    expectRefusal(
      await sendRequest(owner, 'POST', '/messages', { type: 'application/json', body }),
      'REQUEST_VARIABLE_INVALID',
    )
  })

  it('replaces invalid UTF-8 with replacement characters', async () => {
    const { status, body } = await sendRequest(owner, 'POST', '/messages', {
      query: new URLSearchParams({ ...message, content: '' }).toString().replace('content=', 'content=a%ED%A0%80%FFz'),
    })
    expect(status).toBe(200)
    const stored = await owner.call('GET', `/messages/${String(body['id'])}`)
    expect(stored['raw_content']).toMatch(/^a\uFFFD+z$/)
  })

  it.each(['[', '{', '[1,', '{"a":}', 'nonsense', "['a']", ''])(
    'rejects invalid JSON if JSON is required: %s',
    async (bad) => {
      expectRefusal(await post('/users/me/subscriptions', { subscriptions: bad }), 'INVALID_JSON')
    },
  )

  it.each([33, 10_000, 100_000])('rejects values nested %i levels deep', async (depth) => {
    const deep = '['.repeat(depth) + ']'.repeat(depth)
    const form = { type: 'application/x-www-form-urlencoded', body: `subscriptions=${deep}` }
    expectRefusal(await sendRequest(owner, 'POST', '/users/me/subscriptions', form), 'REQUEST_VARIABLE_INVALID')
    const json = { type: 'application/json', body: `{"subscriptions":${deep}}` }
    expectRefusal(await sendRequest(owner, 'POST', '/users/me/subscriptions', json), 'REQUEST_VARIABLE_INVALID')
    const objects = {
      type: 'application/json',
      body: `{"subscriptions":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`,
    }
    expectRefusal(await sendRequest(owner, 'POST', '/users/me/subscriptions', objects), 'REQUEST_VARIABLE_INVALID')
  })

  it('rejects a list with too many members', async () => {
    const body = `subscriptions=[${'{},'.repeat(300_000)}{}]`
    const type = 'application/x-www-form-urlencoded'
    expectRefusal(
      await sendRequest(owner, 'POST', '/users/me/subscriptions', { type, body }),
      'REQUEST_VARIABLE_INVALID',
    )
  })

  it.each(['0', '-1', '-9223372036854775808', '9007199254740992', '9223372036854775808', '1e400', '1.5', '"1"', '007'])(
    'rejects %s as an ID',
    async (id) => {
      const flags = { op: 'add', flag: 'starred' }
      const answer = await post('/messages/flags', { ...flags, messages: `[${id}]` })
      expectRefusal(answer, id === '007' ? 'INVALID_JSON' : 'REQUEST_VARIABLE_INVALID')
    },
  )

  it.each(['9223372036854775808', '99999999999999999999999999', '0', '00'])(
    'rejects %s as an ID in the path',
    async (id) => {
      expectRefusal(await sendRequest(owner, 'GET', `/messages/${id}`, {}), 'REQUEST_VARIABLE_INVALID')
      expectRefusal(await sendRequest(owner, 'GET', `/users/${id}`, {}), 'REQUEST_VARIABLE_INVALID')
    },
  )

  it.each(['-1', '1.5', 'abc', '1e3', '%31x'])(
    'rejects a path with the message ID %s like an unknown path',
    async (id) => {
      expectRefusal(await sendRequest(owner, 'GET', `/messages/${id}`, {}), 'NOT_FOUND', 404)
    },
  )
})

describe('parameter names', () => {
  it('reports unknown parameters unchanged and in order', async () => {
    const { body } = await post('/messages', { zulip_version: '1', ...message, constructor: 'x', ['__proto__']: 'y' })
    expect(body['ignored_parameters_unsupported']).toEqual(['zulip_version', 'constructor', '__proto__'])
    expect(Object.prototype).not.toHaveProperty('y')
  })

  it('ignores __proto__ as a parameter', async () => {
    const json = '{"type":"stream","to":"general","topic":"hello","content":"x","__proto__":{"topic":"evil"}}'
    const { status, body } = await sendRequest(owner, 'POST', '/messages', { type: 'application/json', body: json })
    expect([status, body['ignored_parameters_unsupported']]).toEqual([200, ['__proto__']])
    const lacking = '{"type":"stream","to":"general","content":"x","__proto__":{"topic":"evil"}}'
    const answer = await sendRequest(owner, 'POST', '/messages', { type: 'application/json', body: lacking })
    expectRefusal(answer, 'REQUEST_VARIABLE_MISSING')
    expect(answer.body['var_name']).toBe('topic')
  })

  it('rejects __proto__ inside a parameter value', async () => {
    const subscriptions = '[{"name":"proto","__proto__":{"description":"x"}}]'
    expectRefusal(await post('/users/me/subscriptions', { subscriptions }), 'REQUEST_VARIABLE_INVALID')
  })

  it('accepts deprecated aliases of parameters', async () => {
    const { topic, ...rest } = message
    const { status, body } = await post('/messages', { ...rest, subject: topic })
    expect([status, body['ignored_parameters_unsupported']]).toEqual([200, undefined])
  })

  it('rejects a parameter together with its alias', async () => {
    const answer = await post('/messages', { ...message, subject: 'other' })
    expectRefusal(answer, 'REQUEST_CONFUSING_VAR')
    expect(answer.body['var_name']).toBe('topic')
  })

  it('reports which parameter is missing', async () => {
    const answer = await post('/messages', { type: 'stream', to: 'general' })
    expectRefusal(answer, 'REQUEST_VARIABLE_MISSING')
    expect(answer.body['var_name']).toBe('content')
  })

  it.each(['client_external_avatar', 'client_gravatar'])('accepts the avatar parameter %s', async (name) => {
    const { body } = await sendRequest(owner, 'GET', '/users', { query: `${name}=false&user_ids=[${owner.id}]` })
    expect(body).toMatchObject({ members: [{ avatar_url: anyText }] })
    expect(body['ignored_parameters_unsupported']).toBeUndefined()
  })

  it('prefers the last of repeated values, and the body over the query', async () => {
    const body = new URLSearchParams({ ...message, topic: 'from the body' }).toString()
    const answer = await sendRequest(owner, 'POST', '/messages', {
      type: 'application/x-www-form-urlencoded',
      body: `topic=first&${body}`,
      query: 'topic=from+the+query',
    })
    const stored = await owner.call('GET', `/messages/${String(answer.body['id'])}`)
    expect(stored).toMatchObject({ message: { subject: 'from the body' } })
  })

  it('keeps path parameters despite a query parameter of the same name', async () => {
    const user = await organization.user('Petra Path')
    await sendRequest(owner, 'PATCH', `/users/${user.id}`, { query: `user_id=${owner.id}&full_name=Renamed` })
    expect(await owner.call('GET', `/users/${user.id}`)).toMatchObject({ user: { full_name: 'Renamed' } })
  })

  it('rejects too many parameters', async () => {
    const body = 'a=&'.repeat(300_000)
    expectRefusal(
      await sendRequest(owner, 'POST', '/messages', { type: 'application/x-www-form-urlencoded', body }),
      'BAD_REQUEST',
    )
    const json = JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, 1])))
    expectRefusal(
      await sendRequest(owner, 'POST', '/messages', { type: 'application/json', body: json }),
      'BAD_REQUEST',
    )
    const parts = multipart(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, 'x'])))
    const type = MULTIPART
    expectRefusal(await sendRequest(owner, 'POST', '/messages', { type, body: parts }), 'BAD_REQUEST')
  })
})
