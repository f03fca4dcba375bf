import { describe, expect, it } from 'vitest'
import { anyText, textLike, textWithout } from '../../testing/expected.ts'
import { objectsIn } from '../../testing/json.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { createPeople, makeBot, refusal } from './testing/bots.ts'

const server = useTestServer()

const PAYLOAD_URL = 'https://hooks.example.org/parley'

function servicesIn(body: Body | undefined): Body[] {
  return objectsIn(body?.['services'] ?? [])
}

async function managedBots(user: TestUser): Promise<Body[]> {
  const { state } = await user.register({ event_types: ['realm_bot'] })
  return state['realm_bots']
}

const PRIVATE_HOSTS = [
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '0x7f.1',
  '2130706433',
  '[::1]',
  '[::ffff:10.0.0.1]',
  '[fd12::1]',
  'localhost',
  'LOCALHOST.',
  'a.localhost',
]

const BOT_INPUT = { full_name: 'Out Bot', short_name: 'out', bot_type: 3, payload_url: PAYLOAD_URL }

describe('outgoing webhook bots', () => {
  it("creates a service for an outgoing webhook bot and shows the service only to the bot's managers", async () => {
    const people = await createPeople(await server().organization())
    const look = await watch(people, { event_types: ['realm_bot'] })
    const made = await people.mia.call('POST', '/bots', BOT_INPUT)
    const [service] = servicesIn(made)
    expect(service).toEqual({
      base_url: PAYLOAD_URL,
      interface: 1,
      token: textLike(/^[\w-]{32}$/),
    })
    const added = { op: 'add', bot: { user_id: made['user_id'], bot_type: 3, services: [service] } }
    expect(await look()).toMatchObject({ owner: [added], ada: [added], mia: [added], bob: [] })
    for (const user of [people.mia, people.ada])
      expect(await managedBots(user)).toMatchObject([{ services: [service] }])
    expect(await managedBots(people.bob)).toEqual([])
    const other = await people.mia.call('POST', '/bots', { ...BOT_INPUT, full_name: 'Other Bot', short_name: 'other' })
    expect(servicesIn(other)[0]?.['token']).not.toBe(service?.['token'])
  })

  it('accepts a payload URL as text or JSON and normalizes it', async () => {
    const { owner } = await server().organization()
    const storedUrl = async (payload_url: string, name: string): Promise<unknown> => {
      const made = await owner.call('POST', '/bots', {
        ...BOT_INPUT,
        full_name: `${name} Bot`,
        short_name: name,
        payload_url,
      })
      return servicesIn(made)[0]?.['base_url']
    }
    expect(await storedUrl(JSON.stringify(PAYLOAD_URL), 'quoted')).toBe(PAYLOAD_URL)
    expect(await storedUrl('HTTP://Hooks.Example.org:80', 'large')).toBe('http://hooks.example.org/')
  })

  it('rejects a missing or disallowed payload URL, and an unknown payload format', async () => {
    const { owner } = await server().organization()
    const look = await watch({ owner })
    const attempt = async (more: Body): Promise<unknown[]> =>
      refusal(await owner.try('POST', '/bots', { ...BOT_INPUT, ...more }))
    const why = (reason: string): unknown[] => [400, 'BAD_REQUEST', `Invalid payload URL: ${reason}.`]
    for (const payload_url of ['', 'hooks', 'https://', `https://a.test/${'a'.repeat(1_986)}`]) {
      expect(await attempt({ payload_url })).toEqual(why('the address is malformed'))
    }
    for (const payload_url of ['file:///etc/passwd', 'ftp://a.test', 'javascript:1']) {
      expect(await attempt({ payload_url })).toEqual(why('the address does not start with http:// or https://'))
    }
    expect(await attempt({ payload_url: 'https://me:it@a.test' })).toEqual(
      why('the address contains a user name or a password'),
    )
    for (const host of PRIVATE_HOSTS) {
      expect([host, await attempt({ payload_url: `http://${host}/hook` })]).toEqual([
        host,
        why('the address does not lead to a server on the internet'),
      ])
    }
    expect((await attempt({ payload_url: `https://a.test/${'a'.repeat(2_000)}` }))[1]).toBe('REQUEST_VARIABLE_INVALID')
    for (const interface_type of [0, 3, -1]) {
      expect(await attempt({ interface_type })).toEqual([400, 'BAD_REQUEST', 'Invalid interface type'])
    }
    expect(await attempt({ bot_type: 4 })).toEqual([400, 'BAD_REQUEST', 'This server has no embedded bots.'])
    for (const bot_type of [1, 2]) {
      const only = [400, 'BAD_REQUEST', 'Only outgoing webhook bots have a payload URL.']
      expect(await attempt({ bot_type })).toEqual(only)
      expect(await attempt({ bot_type, payload_url: '', interface_type: 1 })).toEqual(only)
    }
    expect(await look()).toEqual({ owner: [] })
  })

  it('lets people create outgoing webhook bots only if they can create all kinds of bots', async () => {
    const { owner, user } = await server().organization()
    const [mia, gus] = [await user('Mia'), await user('Gus', { role: 600 })]
    const { realm_user_groups } = await owner.call('POST', '/register', { fetch_event_types: ['realm_user_groups'] })
    const nobody = realm_user_groups.find(({ name }) => name === 'role:nobody')?.['id']
    await owner.call('PATCH', '/realm', { can_create_bots_group: { new: nobody } })
    await owner.call('PATCH', '/realm', {
      can_create_write_only_bots_group: { new: { direct_members: [mia.id, gus.id], direct_subgroups: [] } },
    })
    for (const one of [mia, gus]) {
      expect(refusal(await one.try('POST', '/bots', BOT_INPUT))).toEqual([
        400,
        'BAD_REQUEST',
        'Insufficient permission',
      ])
    }
  })

  it("lets managers change a bot's payload URL and format without changing its token", async () => {
    const people = await createPeople(await server().organization())
    const { mia, ada, bob } = people
    const made = await mia.call('POST', '/bots', { ...BOT_INPUT, interface_type: 2 })
    const [service] = servicesIn(made)
    const path = `/bots/${String(made['user_id'])}`
    const look = await watch(people, { event_types: ['realm_bot'] })
    const serviceUpdate = (changes: Body): Body => ({
      op: 'update',
      bot: { user_id: made['user_id'], services: [{ ...service, ...changes }] },
    })
    const other = 'https://other.example.org/'
    await ada.call('PATCH', path, { service_payload_url: other })
    // A URL alone resets the format to the default.
    const first = serviceUpdate({ base_url: other, interface: 1 })
    expect(await look()).toMatchObject({ owner: [first], ada: [first], mia: [first], bob: [] })
    await mia.call('PATCH', path, { service_interface: 2 })
    const second = serviceUpdate({ base_url: other, interface: 2 })
    expect(await look()).toMatchObject({ owner: [second], ada: [second], mia: [second], bob: [] })
    await mia.call('PATCH', path, { service_payload_url: other, service_interface: 2 })
    await mia.call('PATCH', path, { full_name: 'Out Bot' })
    expect(refusal(await bob.try('PATCH', path, { service_payload_url: PAYLOAD_URL }))).toEqual([
      400,
      'BAD_REQUEST',
      'Insufficient permission',
    ])
    expect((await mia.try('PATCH', path, { service_payload_url: 'nowhere' })).body['msg']).toContain('malformed')
    expect((await mia.try('PATCH', path, { service_interface: 3 })).body['msg']).toBe('Invalid interface type')
    expect((await mia.try('PATCH', path, { service_payload_url: 'http://[::1]/' })).body['msg']).toContain(
      'does not lead to a server',
    )
    const plain = await makeBot(mia)
    await look()
    expect((await mia.try('PATCH', `/bots/${plain.id}`, { service_payload_url: PAYLOAD_URL })).body['msg']).toBe(
      'Only outgoing webhook bots have a payload URL.',
    )
    expect(await look()).toEqual({ owner: [], ada: [], mia: [], bob: [] })
    expect(await managedBots(mia)).toMatchObject([
      { services: [{ ...service, base_url: other, interface: 2 }] },
      { services: [] },
    ])
  })

  it("replaces a transferred bot's token and shows the new token to the new owner", async () => {
    const people = await createPeople(await server().organization())
    const { owner, mia, bob } = people
    const made = await mia.call('POST', '/bots', BOT_INPUT)
    const [before] = servicesIn(made)
    const id = made['user_id']
    const look = await watch(people, { event_types: ['realm_bot', 'message'] })
    await owner.call('PATCH', `/bots/${id}`, { bot_owner_id: bob.id })
    const { service } = await bob.call('GET', `/bots/${id}/service`)
    expect(service).toEqual({ ...before, token: textWithout(String(before?.['token'])) })
    const seen = await look()
    const renewed = { type: 'realm_bot', op: 'update', bot: { user_id: id, services: [service] } }
    expect(seen.bob).toMatchObject([
      { type: 'realm_bot', op: 'add', bot: { services: [service] } },
      { type: 'realm_bot', op: 'update', bot: { api_key: anyText } },
      renewed,
      { type: 'message', message: { sender_full_name: 'Notification Bot' } },
    ])
    const notice = String(seen.bob[3]?.['message']?.['content'])
    expect(notice).toContain(`data-user-id="${owner.id}"`)
    expect(notice).toContain(`data-user-id="${id}"`)
    expect(notice).toContain(PAYLOAD_URL)
    expect(seen.mia).toMatchObject([{ type: 'realm_bot', op: 'delete' }])
    for (const events of [seen.owner, seen.ada]) {
      expect(events).toMatchObject([{ op: 'update' }, { op: 'update' }, renewed])
    }
    // A person who takes over a bot needs no warning.
    await owner.call('PATCH', `/bots/${id}`, { bot_owner_id: owner.id })
    const taken = await look()
    expect(taken.owner.map(({ type }) => type)).toEqual(['realm_bot', 'realm_bot', 'realm_bot'])
    expect(taken.bob).toMatchObject([{ type: 'realm_bot', op: 'delete' }])
    expect(servicesIn((await managedBots(owner))[0])[0]?.['token']).not.toBe(service['token'])
  })

  it("shows an outgoing webhook bot's service to its managers and notifies them of a replaced token", async () => {
    const people = await createPeople(await server().organization())
    const { mia, ada, bob } = people
    const made = await mia.call('POST', '/bots', BOT_INPUT)
    const [service] = servicesIn(made)
    const path = `/bots/${String(made['user_id'])}/service`
    for (const user of [mia, ada]) expect((await user.call('GET', path))['service']).toEqual(service)
    const look = await watch(people, { event_types: ['realm_bot'] })
    const may = [400, 'BAD_REQUEST', 'Insufficient permission']
    expect(refusal(await bob.try('GET', path))).toEqual(may)
    expect(refusal(await bob.try('POST', `${path}/regenerate_token`))).toEqual(may)
    const plain = await makeBot(mia)
    await look()
    const none = [400, 'BAD_REQUEST', 'Only outgoing webhook bots have a payload URL.']
    expect(refusal(await mia.try('GET', `/bots/${plain.id}/service`))).toEqual(none)
    expect(refusal(await mia.try('POST', `/bots/${plain.id}/service/regenerate_token`))).toEqual(none)
    expect(await look()).toEqual({ owner: [], ada: [], mia: [], bob: [] })
    const { token } = await ada.call('POST', `${path}/regenerate_token`)
    expect(token).toMatch(/^[\w-]{32}$/)
    expect(token).not.toBe(service?.['token'])
    const renewed = { op: 'update', bot: { user_id: made['user_id'], services: [{ ...service, token }] } }
    expect(await look()).toMatchObject({ owner: [renewed], ada: [renewed], mia: [renewed], bob: [] })
    expect((await mia.call('GET', path))['service']).toEqual({ ...service, token })
  })
})
