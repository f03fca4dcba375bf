import { request, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { basic, type TestUser } from '../../testing/user.ts'
import { ROLE } from '../../kernel/actor.ts'
import { responseTo } from '../../testing/requests.ts'
import { useTestServer } from '../../testing/server.ts'

const server = useTestServer()

interface Person {
  readonly user_id: number
  readonly full_name: string
  readonly delivery_email: string | null
}

async function peopleSeenBy(user: TestUser): Promise<Map<number, Person>> {
  const state = await user.call('POST', '/register', { fetch_event_types: ['realm_user'] })
  return new Map(state.realm_users.map((person) => [person.user_id, person]))
}

it('returns the current state of people to a new queue despite cached register responses', async () => {
  const { owner, user } = await server().organization()
  const [ann, bea] = [await user('Ann'), await user('Bea')]
  await peopleSeenBy(ann)
  await owner.call('PATCH', `/users/${ann.id}`, { full_name: 'Anna' })
  expect((await peopleSeenBy(bea)).get(ann.id)?.full_name).toBe('Anna')
  await owner.call('DELETE', `/users/${ann.id}`)
  expect((await peopleSeenBy(bea)).has(ann.id)).toBe(false)
})

it('shows a hidden email address only to its owner and permitted people', async () => {
  const { owner, user } = await server().organization()
  const [ann, bea] = [await user('Ann'), await user('Bea')]
  await peopleSeenBy(bea)
  // 3: visible to administrators only.
  await ann.call('PATCH', '/settings', { email_address_visibility: 3 })
  for (let time = 0; time < 2; time += 1) {
    expect((await peopleSeenBy(bea)).get(ann.id)?.delivery_email).toBeNull()
    expect((await peopleSeenBy(ann)).get(ann.id)?.delivery_email).toBe(ann.email)
    expect((await peopleSeenBy(owner)).get(ann.id)?.delivery_email).toBe(ann.email)
  }
})

it('shows each guest only people with whom the guest shares a conversation', async () => {
  const { owner, user } = await server().organization()
  const guests = [await user('Gil', { role: ROLE.guest }), await user('Gus', { role: ROLE.guest })]
  const { user_groups } = await owner.call('GET', '/user_groups')
  const group = user_groups.find(({ name }) => name === 'role:members')?.id
  for (const guest of guests) expect((await peopleSeenBy(guest)).get(owner.id)?.full_name).toBe('Olivia Owner')
  await owner.call('PATCH', '/realm', { can_access_all_users_group: { new: group ?? 0 } })
  for (const guest of guests) expect((await peopleSeenBy(guest)).get(owner.id)?.full_name).not.toBe('Olivia Owner')
  await owner.call('POST', '/messages', { type: 'direct', to: [guests[0]?.id ?? 0], content: 'Hello' })
  const seen = await Promise.all(guests.map(peopleSeenBy))
  expect(seen[0]?.get(owner.id)?.full_name).toBe('Olivia Owner')
  expect(seen[1]?.get(owner.id)?.full_name).not.toBe('Olivia Owner')
})

it('shows each person the current channels that they can see', async () => {
  const { owner, user } = await server().organization()
  const [ann, bea] = [await user('Ann'), await user('Bea')]
  await owner.subscribe(['open'])
  await ann.subscribe(['secret'], { invite_only: true })
  for (let time = 0; time < 2; time += 1) {
    expect([...(await channelsSeenBy(ann)).keys()].toSorted()).toEqual(['open', 'secret'])
    expect([...(await channelsSeenBy(bea)).keys()]).toEqual(['open'])
  }
  expect((await channelsSeenBy(bea)).get('open')).toMatchObject({ subscriber_count: 1 })
  await bea.subscribe(['open'])
  expect((await channelsSeenBy(ann)).get('open')).toMatchObject({ subscriber_count: 2 })
  await ann.subscribe(['secret'], { principals: [bea.id] })
  expect((await channelsSeenBy(bea)).has('secret')).toBe(true)
  await bea.call('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'] })
  expect((await channelsSeenBy(bea)).has('secret')).toBe(false)
})

async function channelsSeenBy(user: TestUser): Promise<Map<string, { readonly name: string }>> {
  const state = await user.call('POST', '/register', { fetch_event_types: ['stream'] })
  return new Map(state.streams.map((channel) => [channel.name, channel]))
}

it.each([
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'gzip'],
  ['gzip;q=0', null],
  ['identity', null],
])('answers Accept-Encoding %s with the encoding %s', async (accepted, encoding) => {
  const { owner } = await server().organization()
  const { headers, bytes } = await requestRaw(owner, 'POST', '/register', accepted)
  expect([headers['content-encoding'] ?? null, headers.vary]).toEqual([encoding, 'accept-encoding'])
  const text = (encoding === null ? bytes : gunzipSync(bytes)).toString()
  expect(JSON.parse(text)).toMatchObject({ result: 'success', realm_users: [{ user_id: owner.id }] })
})

it('compresses fetched messages and polled events', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['talk'])
  const queue = await owner.register({ event_types: ['message'] })
  const content = 'The same words, again and again. '.repeat(200).trim()
  await owner.call('POST', '/messages', { type: 'stream', to: 'talk', topic: 'long', content })
  const paths = ['/messages?anchor=newest&num_before=1&num_after=0', `/events?queue_id=${queue.id}&last_event_id=-1`]
  for (const path of paths) {
    const [packed, plain] = [
      await requestRaw(owner, 'GET', path, 'gzip'),
      await requestRaw(owner, 'GET', path, 'identity'),
    ]
    expect([packed.headers['content-encoding'], packed.headers.vary]).toEqual(['gzip', 'accept-encoding'])
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept-encoding'])
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2)
    expect(JSON.parse(gunzipSync(packed.bytes).toString())).toEqual(JSON.parse(plain.bytes.toString()))
    expect(plain.bytes.toString()).toContain(content)
  }
})

interface RawResponse {
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

async function requestRaw(user: TestUser, method: string, path: string, accepted: string): Promise<RawResponse> {
  const headers = {
    authorization: basic(user.email, user.apiKey),
    'accept-encoding': accepted,
    host: user.host,
    'content-length': 0,
  }
  const sent = request(`${user.url}/api/v1${path}`, { method, headers }).end()
  const response = await responseTo(sent)
  return { headers: response.headers, bytes: await buffer(response) }
}
