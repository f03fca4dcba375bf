import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { capabilities } from '../../capabilities.ts'
import { changeSettings } from '../../capabilities/organizations/testing/settings.ts'
import { isInAnswer, positionOfEvent } from '../../kernel/event-ids.ts'
import { objectsIn } from '../../testing/json.ts'
import { runAfterReading, hideRemoteCommits, whileRegistering } from '../../testing/meanwhile.ts'
import { ownSamplesFor, samplePath, samplesFor } from '../../testing/samples.ts'
import {
  startTestServer,
  startTestServerOn,
  useTestServer,
  type TestOrganization,
  type TestServer,
} from '../../testing/server.ts'
import { basic, callApi, ALL_CAPABILITIES, TestUser, type Answer, type Body } from '../../testing/user.ts'

const server = useTestServer()

const HEADER = 'parley-position'
const PASSWORD = 'correct horse battery'
const POSITION_OPTIONS = { client_capabilities: { ...ALL_CAPABILITIES, log_position: true } }

function positionOf({ headers }: Answer): number {
  const position = headers[HEADER]
  if (typeof position !== 'string' || !/^\d+$/.test(position)) throw new Error(`no position: ${String(position)}`)
  return Number(position)
}

function idsIn({ body }: Answer): number[] {
  return objectsIn(body['messages']).map(({ id }) => Number(id))
}

async function readNewest(user: TestUser): Promise<Answer> {
  return user.try('GET', '/messages', { anchor: 'newest', num_before: 1_000, num_after: 0 })
}

it('returns the log position with every authenticated read and every write', async () => {
  const organization = await server().organization()
  const { owner } = organization
  const samples = await ownSamplesFor(owner, await samplesFor(organization))
  const log = await server().parley.logs.of(organization.id)
  const told: [string, number][] = []
  const expected: [string, number][] = []
  const refused: string[] = []
  for (const { endpoint } of capabilities.flatMap(({ routes }) => routes)) {
    if (endpoint.method !== 'GET') continue
    const { path, query } = samplePath(endpoint, samples)
    const before = log.organization.position
    const answer = await owner.try('GET', `${path}?${query.toString()}`)
    if (answer.status !== 200) {
      refused.push(endpoint.id)
      continue
    }
    if (answer.headers[HEADER] !== undefined) told.push([endpoint.id, positionOf(answer) - before])
    if (endpoint.id !== 'getEvents' && endpoint.authentication !== 'none') expected.push([endpoint.id, 0])
  }
  expect(told).toEqual(expected)
  // The samples of these endpoints need another kind of user, or calls and email, which this server lacks.
  expect(refused).toEqual([
    'getUserPresence',
    'getStreamId',
    'getBotService',
    'getReadReceipts',
    'createBigBlueButtonCall',
    'getChannelEmailAddress',
  ])
  const stranger = await callApi(owner.url, owner.host, 'GET', '/server_settings', {})
  const changed = await owner.try('POST', '/mark_all_as_read')
  const absent = await owner.try('GET', '/messages/999999')
  expect([stranger.status, changed.status, absent.status]).toEqual([200, 200, 400])
  for (const { headers } of [stranger, absent]) expect(headers[HEADER]).toBeUndefined()
  expect(positionOf(changed)).toBe(log.organization.position)
})

it('returns no log position to spectators', async () => {
  const open = await startTestServer({ PARLEY_WEB_PUBLIC_CHANNELS: 'on' })
  try {
    const { id, owner } = await open.organization()
    await changeSettings(open.parley, id, { enable_spectator_access: true })
    await owner.subscribe(['open'], { is_web_public: true })
    const state = await callApi(owner.url, owner.host, 'POST', '/register', POSITION_OPTIONS)
    expect(state).toMatchObject({ status: 200, body: { queue_id: null } })
    expect([state.body['log_position'], state.headers[HEADER]]).toEqual([undefined, undefined])
  } finally {
    await open.close()
  }
})

it('reads every message up to the returned position during concurrent sends', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const sent: number[] = []
  const done = new AbortController()
  const writing = Array.from({ length: 4 }, async () => {
    while (!done.signal.aborted) sent.push(await owner.send('general', 'many', 'Hello'))
  })
  const answers: Answer[] = []
  while (answers.length < 30) answers.push(await readNewest(owner))
  done.abort()
  await Promise.all(writing)
  for (const answer of answers) {
    const position = positionOf(answer)
    const held = new Set(idsIn(answer))
    expect(sent.filter((id) => id <= position && !held.has(id))).toEqual([])
  }
  const positions = answers.map(positionOf)
  expect(Math.max(...positions)).toBeGreaterThan(Math.min(...positions))
})

it('returns the log position from before a change that happens during a read', async () => {
  const { id: organizationId, owner } = await server().organization()
  await owner.subscribe(['general'])
  const first = await owner.send('general', 'hello', 'One')
  const { organization } = await server().parley.logs.of(organizationId)
  const before = organization.position
  let second = 0
  const hasHappened = runAfterReading(server().parley, 'all_topics', async () => {
    second = await owner.send('general', 'bye', 'Two')
  })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
  const answer = await owner.try('GET', `/users/me/${stream_id}/topics`)
  expect(hasHappened()).toBe(true)
  expect(answer.body['topics']).toEqual([expect.objectContaining({ max_id: first })])
  expect(positionOf(answer)).toBe(before)
  expect(second).toBeGreaterThan(before)
})

it('returns the log position that the server has applied, even if the response includes later changes', async () => {
  const first = await startTestServer({}, { shared: true })
  const second = await startTestServerOn(first.database, {}, { shared: true })
  try {
    const { id, owner } = await first.organization()
    await owner.subscribe(['general'])
    const elsewhere = new TestUser(second.parley.url, owner.host, owner.email, owner.apiKey, owner.id)
    await readNewest(elsewhere)
    const { follower, organization } = await second.parley.logs.of(id)
    await follower.catchUp()
    const known = organization.position
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
    const release = hideRemoteCommits(second.parley)
    const sent = await owner.send('general', 'hello', 'Hello')
    const answer = await elsewhere.try('GET', `/users/me/${stream_id}/topics`)
    release()
    expect(answer.body['topics']).toEqual([{ name: 'hello', max_id: sent }])
    expect(positionOf(answer)).toBe(known)
    expect(sent).toBeGreaterThan(known)
  } finally {
    await second.close()
    await first.close()
  }
})

describe('server that lags behind another server', () => {
  let first: TestServer
  let second: TestServer
  let organization: TestOrganization
  let release: () => void

  beforeAll(async () => {
    first = await startTestServer({}, { shared: true })
    second = await startTestServerOn(first.database, {}, { shared: true })
  })

  beforeEach(async () => {
    organization = await first.organization('Test', { password: PASSWORD })
    await readNewest(atSecondServer(organization.owner))
    await (await second.parley.logs.of(organization.id)).follower.catchUp()
    release = hideRemoteCommits(second.parley)
  })

  afterEach(() => release())

  afterAll(async () => {
    await second.close()
    await first.close()
  })

  function atSecondServer({ host, email, apiKey, id }: TestUser): TestUser {
    return new TestUser(second.parley.url, host, email, apiKey, id)
  }

  async function askSaying(position: string, method: string, path: string, parameters = {}): Promise<Answer> {
    const { host, email, apiKey } = organization.owner
    const headers = { authorization: basic(email, apiKey), [HEADER]: position }
    return callApi(second.parley.url, host, method, path, parameters, { headers })
  }

  /** Expects the answer to wait until the server has read the changes of other servers. */
  async function afterCatchingUp(asked: Promise<Answer>): Promise<Answer> {
    let isAnswered = false
    const answered = asked.then((answer) => {
      isAnswered = true
      return answer
    })
    const { owner } = organization
    expect((await atSecondServer(owner).try('GET', '/users/me')).status).toBe(200)
    expect(isAnswered).toBe(false)
    release()
    return answered
  }

  it('catches up with the log for a client that sends a later position', async () => {
    const made = await organization.owner.try('POST', '/users/me/subscriptions', {
      subscriptions: JSON.stringify([{ name: 'made elsewhere' }]),
    })
    const position = String(positionOf(made))
    const answer = await afterCatchingUp(askSaying(position, 'GET', '/get_stream_id', { stream: 'made elsewhere' }))
    expect([answer.status, positionOf(answer) >= Number(position)]).toEqual([200, true])
    const sent = { type: 'stream', to: 'made elsewhere', topic: 'new', content: 'Hello' }
    expect(await askSaying(position, 'POST', '/messages', sent)).toMatchObject({ status: 200 })
  })

  it('catches up with the log for a request whose account and API key are unknown', async () => {
    const newcomer = await organization.user('Nora Newcomer')
    expect((await afterCatchingUp(atSecondServer(newcomer).try('GET', '/users/me'))).status).toBe(200)
  })

  it('catches up with the log for an unauthenticated request', async () => {
    const { owner } = organization
    const { api_key: key } = await owner.call('POST', '/users/me/api_key/regenerate')
    const login = { username: owner.email, password: PASSWORD }
    const answer = await afterCatchingUp(callApi(second.parley.url, owner.host, 'POST', '/fetch_api_key', login))
    expect(answer).toMatchObject({ status: 200, body: { api_key: key } })
  })

  it('rejects requests of a deactivated user after catching up with the log', async () => {
    const { owner, user } = organization
    const leaving = await user('Lea Leaving')
    release()
    await readNewest(atSecondServer(leaving))
    release = hideRemoteCommits(second.parley)
    const position = String(positionOf(await owner.try('DELETE', `/users/${leaving.id}`)))
    const answer = await afterCatchingUp(askSaying(position, 'GET', `/users/${leaving.id}`))
    expect(answer.body['user']).toMatchObject({ is_active: false })
    expect((await atSecondServer(leaving).try('GET', '/users/me')).body).toMatchObject({ code: 'USER_DEACTIVATED' })
  })

  it.each(['999999999999999', '99999999999999999999', '-1', '1e9', 'x', ''])(
    'answers a request as usual despite the invalid or unreachable log position %j',
    async (said) => {
      release()
      expect((await askSaying(said, 'GET', '/users/me')).status).toBe(200)
      const { host } = organization.owner
      const stranger = { headers: { authorization: basic('nobody@example.com', 'wrong'), [HEADER]: said } }
      const refused = await callApi(second.parley.url, host, 'GET', '/users/me', {}, stranger)
      expect(refused).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } })
      expect(refused.headers[HEADER]).toBeUndefined()
    },
  )
})

it('lets a client tell which events a response already includes, even if its queue lags behind the log', async () => {
  const { id, owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['general'], { principals: [owner.id, ann.id] })
  const known = await owner.send('general', 'hello', 'Before')
  const log = await server().parley.logs.of(id)
  let missed = 0
  const hasHappened = whileRegistering(log, async () => {
    missed = await owner.send('general', 'hello', 'While registering')
  })
  const queue = await ann.register(POSITION_OPTIONS)
  expect(hasHappened()).toBe(true)
  const start = Number(queue.state['log_position'])
  expect([queue.state['max_message_id'], start]).toEqual([known, missed - 1])
  const held = await owner.send('general', 'hello', 'Held')
  const answer = await readNewest(ann)
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
  await owner.call('POST', '/typing', { type: 'stream', op: 'start', stream_id, topic: 'hello' })
  const later = await owner.send('general', 'hello', 'Later')
  const events = await queue.events()
  const place = ({ id: eventId }: Body): [number, boolean] => [
    positionOfEvent(start, Number(eventId)),
    isInAnswer(start, Number(eventId), positionOf(answer)),
  ]
  expect(events.map(({ type }) => type)).toEqual(['message', 'message', 'typing', 'message'])
  expect(events.filter(({ type }) => type === 'message').map(place)).toEqual([
    [missed, true],
    [held, true],
    [later, false],
  ])
  expect(events.filter(({ type }) => type === 'typing').map((event) => place(event)[1])).toEqual([false])
})

it('reports no log position unless the client asks for it', async () => {
  const { owner } = await server().organization()
  expect((await owner.register()).state).not.toHaveProperty('log_position')
  const refused = await owner.try('POST', '/register', { client_capabilities: { log_position: 'yes' } })
  expect(refused.status).toBe(400)
})
