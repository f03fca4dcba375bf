import { beforeAll, describe, expect, it } from 'vitest'
import { ask, ENCODINGS, expectRefusal, MULTIPART, multipart, type Fields } from '../../testing/requests.ts'
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
  return ask(owner, 'POST', path, ENCODINGS.query(fields))
}

const NAMES = ['query', 'form', 'multipart', 'JSON'] as const

describe.each(NAMES)('parameters in %s', (encoding) => {
  const encoded = ENCODINGS[encoding]

  it('are understood with GET', async () => {
    const { status, body } = await ask(owner, 'GET', '/users', encoded({ user_ids: `[${owner.id}]` }))
    expect(status).toBe(200)
    expect(body['members']).toMatchObject([{ user_id: owner.id }])
  })

  it('are understood with POST', async () => {
    const content = 'grüße 😀 & = + % "quoted"\nsecond line'
    const { status, body } = await ask(owner, 'POST', '/messages', encoded({ ...message, content }))
    expect(status).toBe(200)
    const stored = await owner.call('GET', `/messages/${String(body['id'])}`)
    expect(stored['raw_content']).toBe(content)
  })

  it('are understood with PATCH', async () => {
    const user = await organization.user('Nora Name')
    const { status } = await ask(owner, 'PATCH', `/users/${user.id}`, encoded({ full_name: 'Nora Néw' }))
    expect(status).toBe(200)
    expect(await owner.call('GET', `/users/${user.id}`)).toMatchObject({ user: { full_name: 'Nora Néw' } })
  })

  it('are understood with DELETE', async () => {
    await owner.subscribe(['passing'])
    const { status, body } = await ask(
      owner,
      'DELETE',
      '/users/me/subscriptions',
      encoded({ subscriptions: '["passing"]' }),
    )
    expect(status).toBe(200)
    expect(body['removed']).toEqual(['passing'])
  })
})

describe('values', () => {
  it.each([
    ['a bare channel name', 'general'],
    ['a quoted channel name', '"general"'],
    ['a channel id', () => String(samples.stream_id)],
    ['a list of one name', '["general"]'],
  ])('take %s as the channel to send to', async (_name, to) => {
    const answer = await post('/messages', { ...message, to: typeof to === 'string' ? to : to() })
    expect(answer.status).toBe(200)
  })

  it.each(['true', 'null', '1.5', '12 monkeys'])('take the bare word %s as a channel name', async (name) => {
    await owner.subscribe([name])
    expect((await post('/messages', { ...message, to: name })).status).toBe(200)
    expect((await post('/messages', { ...message, to: JSON.stringify(name) })).status).toBe(200)
  })

  it.each(['stream', '"stream"', 'channel', '"channel"'])('take %s as a word of an enumeration', async (type) => {
    expect((await post('/messages', { ...message, type })).status).toBe(200)
  })

  it('take a role as the number it is', async () => {
    const user = await organization.user('Rob Role')
    expect((await ask(owner, 'PATCH', `/users/${user.id}`, { query: 'role=300' })).status).toBe(200)
    expectRefusal(await ask(owner, 'PATCH', `/users/${user.id}`, { query: 'role=301' }), 'REQUEST_VARIABLE_INVALID')
    expectRefusal(await ask(owner, 'PATCH', `/users/${user.id}`, { query: 'role="300"' }), 'REQUEST_VARIABLE_INVALID')
  })

  it.each(['true', 'false'])('take %s as a switch', async (value) => {
    expect((await ask(owner, 'GET', '/users', { query: `client_external_avatar=${value}` })).status).toBe(200)
  })

  it.each(['True', 'yes', '1', '"true"', '', 'null'])('do not take %s as a switch', async (value) => {
    expectRefusal(
      await ask(owner, 'GET', '/users', { query: `client_external_avatar=${value}` }),
      'REQUEST_VARIABLE_INVALID',
    )
  })

  it('are taken from a JSON body as they are', async () => {
    const body = JSON.stringify({ ...message, to: samples.stream_id, read_by_sender: true, topic: 'as JSON' })
    expect((await ask(owner, 'POST', '/messages', { type: 'application/json', body })).status).toBe(200)
    const direct = JSON.stringify({ type: 'direct', to: [owner.id], content: 'note' })
    expect((await ask(owner, 'POST', '/messages', { type: 'application/json', body: direct })).status).toBe(200)
    const ids = JSON.stringify({ user_ids: [owner.id], client_external_avatar: false })
    expect((await ask(owner, 'GET', '/users', { type: 'application/json', body: ids })).status).toBe(200)
  })

  it.each([
    ['null', null],
    ['an object', { a: 1 }],
    ['a list', ['x']],
    ['a switch', true],
  ])('of a JSON body that are %s are no text', async (_name, content) => {
    const body = JSON.stringify({ ...message, content })
    expectRefusal(await ask(owner, 'POST', '/messages', { type: 'application/json', body }), 'REQUEST_VARIABLE_INVALID')
  })

  it('may hold a text of exactly the limit, counted in code points, and not one more', async () => {
    expect((await post('/messages', { ...message, topic: '😀'.repeat(60) })).status).toBe(200)
    expectRefusal(await post('/messages', { ...message, topic: '😀'.repeat(61) }), 'REQUEST_VARIABLE_INVALID')
  })

  it.each([
    ['NUL', 'a\0b'],
    ['NUL in a topic', { topic: 'a\0b' }],
    ['NUL in JSON', { to: JSON.stringify(['a\0b']) }],
    ['half a surrogate pair in JSON', { to: '["\\ud83d"]' }],
    ['half a surrogate pair as a JSON text', { to: '"\\udc00"' }],
  ])('with %s are refused', async (_name, bad) => {
    const fields = typeof bad === 'string' ? { content: bad } : bad
    expectRefusal(await post('/messages', { ...message, ...fields }), 'REQUEST_VARIABLE_INVALID')
  })

  it('with half a surrogate pair in a JSON body are refused', async () => {
    const body = JSON.stringify(message).replace('"x"', '"\\ud83d"')
    expectRefusal(await ask(owner, 'POST', '/messages', { type: 'application/json', body }), 'REQUEST_VARIABLE_INVALID')
  })

  it('with bytes that are no UTF-8 are taken with replacement characters', async () => {
    const { status, body } = await ask(owner, 'POST', '/messages', {
      query: new URLSearchParams({ ...message, content: '' }).toString().replace('content=', 'content=a%ED%A0%80%FFz'),
    })
    expect(status).toBe(200)
    const stored = await owner.call('GET', `/messages/${String(body['id'])}`)
    expect(stored['raw_content']).toMatch(/^a\uFFFD+z$/)
  })

  it.each(['[', '{', '[1,', '{"a":}', 'nonsense', "['a']", ''])('must be JSON where JSON is due: %s', async (bad) => {
    expectRefusal(await post('/users/me/subscriptions', { subscriptions: bad }), 'INVALID_JSON')
  })

  it.each([33, 10_000, 100_000])('may not nest %i deep', async (depth) => {
    const deep = '['.repeat(depth) + ']'.repeat(depth)
    const form = { type: 'application/x-www-form-urlencoded', body: `subscriptions=${deep}` }
    expectRefusal(await ask(owner, 'POST', '/users/me/subscriptions', form), 'REQUEST_VARIABLE_INVALID')
    const json = { type: 'application/json', body: `{"subscriptions":${deep}}` }
    expectRefusal(await ask(owner, 'POST', '/users/me/subscriptions', json), 'REQUEST_VARIABLE_INVALID')
    const objects = {
      type: 'application/json',
      body: `{"subscriptions":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`,
    }
    expectRefusal(await ask(owner, 'POST', '/users/me/subscriptions', objects), 'REQUEST_VARIABLE_INVALID')
  })

  it('may not hold more than a request can mean', async () => {
    const body = `subscriptions=[${'{},'.repeat(300_000)}{}]`
    const type = 'application/x-www-form-urlencoded'
    expectRefusal(await ask(owner, 'POST', '/users/me/subscriptions', { type, body }), 'REQUEST_VARIABLE_INVALID')
  })

  it.each(['0', '-1', '-9223372036854775808', '9007199254740992', '9223372036854775808', '1e400', '1.5', '"1"', '007'])(
    'do not take %s as an id',
    async (id) => {
      const flags = { op: 'add', flag: 'starred' }
      const answer = await post('/messages/flags', { ...flags, messages: `[${id}]` })
      expectRefusal(answer, id === '007' ? 'INVALID_JSON' : 'REQUEST_VARIABLE_INVALID')
    },
  )

  it.each(['9223372036854775808', '99999999999999999999999999', '0', '00'])(
    'do not take %s as an id in the path',
    async (id) => {
      expectRefusal(await ask(owner, 'GET', `/messages/${id}`, {}), 'REQUEST_VARIABLE_INVALID')
      expectRefusal(await ask(owner, 'GET', `/users/${id}`, {}), 'REQUEST_VARIABLE_INVALID')
    },
  )

  it.each(['-1', '1.5', 'abc', '1e3', '%31x'])('answer %s as the id of a message like any unknown path', async (id) => {
    expectRefusal(await ask(owner, 'GET', `/messages/${id}`, {}), 'NOT_FOUND', 404)
  })
})

describe('names', () => {
  it('list what the endpoint does not have, as it was sent and in its order', async () => {
    const { body } = await post('/messages', { zulip_version: '1', ...message, constructor: 'x', ['__proto__']: 'y' })
    expect(body['ignored_parameters_unsupported']).toEqual(['zulip_version', 'constructor', '__proto__'])
    expect(Object.prototype).not.toHaveProperty('y')
  })

  it('of objects are no parameters', async () => {
    const json = '{"type":"stream","to":"general","topic":"hello","content":"x","__proto__":{"topic":"evil"}}'
    const { status, body } = await ask(owner, 'POST', '/messages', { type: 'application/json', body: json })
    expect([status, body['ignored_parameters_unsupported']]).toEqual([200, ['__proto__']])
    const lacking = '{"type":"stream","to":"general","content":"x","__proto__":{"topic":"evil"}}'
    const answer = await ask(owner, 'POST', '/messages', { type: 'application/json', body: lacking })
    expectRefusal(answer, 'REQUEST_VARIABLE_MISSING')
    expect(answer.body['var_name']).toBe('topic')
  })

  it('may not be confused by objects inside a value', async () => {
    const subscriptions = '[{"name":"proto","__proto__":{"description":"x"}}]'
    expectRefusal(await post('/users/me/subscriptions', { subscriptions }), 'REQUEST_VARIABLE_INVALID')
  })

  it('have deprecated aliases', async () => {
    const { topic, ...rest } = message
    const { status, body } = await post('/messages', { ...rest, subject: topic })
    expect([status, body['ignored_parameters_unsupported']]).toEqual([200, undefined])
  })

  it('may not be given together with their alias', async () => {
    const answer = await post('/messages', { ...message, subject: 'other' })
    expectRefusal(answer, 'REQUEST_CONFUSING_VAR')
    expect(answer.body['var_name']).toBe('topic')
  })

  it('are named when they are missing', async () => {
    const answer = await post('/messages', { type: 'stream', to: 'general' })
    expectRefusal(answer, 'REQUEST_VARIABLE_MISSING')
    expect(answer.body['var_name']).toBe('content')
  })

  it.each(['client_external_avatar', 'client_gravatar'])('may be %s', async (name) => {
    const { body } = await ask(owner, 'GET', '/users', { query: `${name}=false&user_ids=[${owner.id}]` })
    expect(body).toMatchObject({ members: [{ avatar_url: expect.any(String) as string }] })
    expect(body['ignored_parameters_unsupported']).toBeUndefined()
  })

  it('given repeatedly mean their last value, and the body goes before the query', async () => {
    const body = new URLSearchParams({ ...message, topic: 'from the body' }).toString()
    const answer = await ask(owner, 'POST', '/messages', {
      type: 'application/x-www-form-urlencoded',
      body: `topic=first&${body}`,
      query: 'topic=from+the+query',
    })
    const stored = await owner.call('GET', `/messages/${String(answer.body['id'])}`)
    expect(stored).toMatchObject({ message: { subject: 'from the body' } })
  })

  it('in the path cannot be overruled', async () => {
    const user = await organization.user('Petra Path')
    await ask(owner, 'PATCH', `/users/${user.id}`, { query: `user_id=${owner.id}&full_name=Renamed` })
    expect(await owner.call('GET', `/users/${user.id}`)).toMatchObject({ user: { full_name: 'Renamed' } })
  })

  it('may not be too many', async () => {
    const body = 'a=&'.repeat(300_000)
    expectRefusal(
      await ask(owner, 'POST', '/messages', { type: 'application/x-www-form-urlencoded', body }),
      'BAD_REQUEST',
    )
    const json = JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, 1])))
    expectRefusal(await ask(owner, 'POST', '/messages', { type: 'application/json', body: json }), 'BAD_REQUEST')
    const parts = multipart(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, 'x'])))
    const type = MULTIPART
    expectRefusal(await ask(owner, 'POST', '/messages', { type, body: parts }), 'BAD_REQUEST')
  })
})
