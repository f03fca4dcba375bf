import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { TestUser, type Body } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { BOT_EVENT_OPTIONS, createPeople, makeBot, refusal } from './testing/bots.ts'

const server = useTestServer()

it('transfers a bot to another person but not to an invalid owner', async () => {
  const organization = await server().organization()
  const people = await createPeople(organization)
  const { mia, bob, ada } = people
  const [bert, bea] = [await makeBot(mia), await makeBot(mia, 'Bea Bot')]
  const gus = await organization.user('Gus Guest', { role: 600 })
  const gone = await organization.user('Gone')
  await people.owner.call('DELETE', `/users/${gone.id}`)
  const look = await watch(people, BOT_EVENT_OPTIONS)
  const give = async (id: number, by = ada): Promise<unknown> =>
    (await by.try('PATCH', `/bots/${bert.id}`, { bot_owner_id: id })).body['msg']
  expect(await give(bob.id, mia)).toBe('Failed to change owner, must be an organization administrator')
  expect(await give(gone.id)).toBe('Failed to change owner, user is deactivated')
  expect(await give(bea.id)).toBe("Failed to change owner, bots can't own other bots")
  expect(await give(gus.id)).toBe("Failed to change owner, guests can't own bots")
  expect(await give(0)).toBe('Failed to change owner, no such user')
  expect(await look()).toEqual({ owner: [], ada: [], mia: [], bob: [] })
  expect(await ada.call('PATCH', `/bots/${bert.id}`, { bot_owner_id: bob.id })).toMatchObject({
    bot_owner: bob.email,
  })
  const { api_key } = await ada.call('GET', `/bots/${bert.id}/api_key`)
  expect(api_key).not.toBe(bert.apiKey)
  const person = { type: 'realm_user', op: 'update', person: { user_id: bert.id, bot_owner_id: bob.id } }
  const updated = { type: 'realm_bot', op: 'update', bot: { user_id: bert.id, owner_id: bob.id } }
  const renewed = { type: 'realm_bot', op: 'update', bot: { user_id: bert.id, api_key } }
  const seen = await look()
  expect(seen).toMatchObject({
    owner: [person, updated, renewed],
    ada: [person, updated, renewed],
    mia: [person, { type: 'realm_bot', op: 'delete', bot: { user_id: bert.id } }],
    bob: [person, { type: 'realm_bot', op: 'add', bot: { user_id: bert.id, api_key } }, renewed],
  })
  expect(seen.mia).toHaveLength(2)
  expect(refusal(await mia.try('GET', `/bots/${bert.id}/api_key`))[2]).toBe('Insufficient permission')
})

it('revokes the API key and ends the queues and polls of a transferred bot', async () => {
  const organization = await server().organization()
  const { owner, mia, bob } = await createPeople(organization)
  const bert = await makeBot(mia)
  await bob.subscribe(['secret'], { invite_only: true })
  const queue = await bert.register()
  const waiting = bert.try('GET', '/events', { queue_id: queue.id, last_event_id: -1 })
  while (server().parley.queues.count().parked === 0) await new Promise(setImmediate)
  await owner.call('PATCH', `/bots/${bert.id}`, { bot_owner_id: bob.id })
  expect((await waiting).body['code']).toBe('INVALID_API_KEY')
  const listing = { include_owner_subscribed: true }
  expect(refusal(await bert.try('GET', '/streams', listing)).slice(0, 2)).toEqual([401, 'INVALID_API_KEY'])
  const { api_key } = await bob.call('GET', `/bots/${bert.id}/api_key`)
  const bobs = new TestUser(bert.url, bert.host, bert.email, api_key, bert.id)
  expect((await bobs.call('GET', '/streams', listing))['streams']).toMatchObject([{ name: 'secret' }])
  const old = { queue_id: queue.id, last_event_id: -1, dont_block: true }
  expect((await bobs.try('GET', '/events', old)).body['code']).toBe('BAD_EVENT_QUEUE_ID')
})

it("lowers a transferred bot's role to the role of its new owner", async () => {
  const { owner, ada, mia } = await createPeople(await server().organization())
  const bert = await makeBot(ada)
  await owner.call('PATCH', `/bots/${bert.id}`, { role: 200 })
  const look = await watch({ mia }, { event_types: ['realm_user'] })
  await owner.call('PATCH', `/bots/${bert.id}`, { bot_owner_id: mia.id })
  const person = (changes: Body): Body => ({
    type: 'realm_user',
    op: 'update',
    person: { user_id: bert.id, ...changes },
  })
  expect(await look()).toEqual({ mia: [person({ role: 400 }), person({ bot_owner_id: mia.id })] })
  for (const path of [`/bots/${bert.id}`, `/users/${bert.id}`]) {
    const { status, body } = await owner.try('PATCH', path, { role: 300 })
    expect([status, body['msg']]).toEqual([400, 'A bot cannot have a higher role than its owner.'])
  }
})
