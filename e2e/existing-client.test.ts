/*
 * Tests a third-party client library for this API as its users use it. The library sends POST bodies as multipart forms
 * and all other parameters in the query, even for DELETE and PATCH, with the API names of its original server.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Answer, Client } from 'zulip-js'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { objectsIn } from '../server/src/testing/json.ts'
import { useTestServer } from '../server/src/testing/server.ts'

// The library replaces the global FormData when it is loaded, and continues to use its own. Other test files in this
// process need the original.
const { FormData } = globalThis
const { default: connect } = await import('zulip-js')
globalThis.FormData = FormData

const server = useTestServer({ PARLEY_API_NAMES: 'zulip', PARLEY_ROOT_DOMAIN: '' })
const PASSWORD = 'correct horse battery'
const FRIEND_EMAIL = 'fred@example.com'

/** Separate program, because the library's event loop ends only with its process. */
const LISTENER_PROGRAM = `
  import connect from 'zulip-js'
  const [realm, username, password] = process.argv.slice(1)
  const client = await connect({ realm, username, password })
  await client.callOnEachEvent((event) => process.stdout.write(JSON.stringify(event) + '\\n'), ['message'])`

let owner: Client
let friend: Client
let ownerId: number
let friendId: number

beforeAll(async () => {
  const organization = await server().organization('Test', { stringId: '', password: PASSWORD })
  ownerId = organization.owner.id
  owner = await logIn(organization.owner.email)
  const made = await succeed(owner.users.create({ email: FRIEND_EMAIL, password: PASSWORD, full_name: 'Fred Friend' }))
  friendId = Number(made['user_id'])
  friend = await logIn(FRIEND_EMAIL)
})

async function logIn(username: string): Promise<Client> {
  return connect({ username, password: PASSWORD, realm: server().parley.url })
}

async function succeed(answer: Promise<Answer>): Promise<Answer> {
  const body = await answer
  expect(body).toMatchObject({ result: 'success' })
  return body
}

async function createSharedChannel(name: string): Promise<void> {
  const principals = JSON.stringify([ownerId, friendId])
  await succeed(owner.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name }]), principals }))
}

it('signs in with email and password, and gets the user profile', async () => {
  expect(owner.config.apiKey).toMatch(/^\w{32}$/)
  expect(await succeed(owner.users.me.getProfile())).toMatchObject({ user_id: ownerId, is_owner: true })
  const refused = await connect({ username: FRIEND_EMAIL, password: 'wrong password', realm: server().parley.url })
  expect(refused.config.apiKey).toBeUndefined()
  expect(await refused.users.me.getProfile()).toMatchObject({ result: 'error', code: 'INVALID_API_KEY' })
})

it('answers with the field names that existing clients expect', async () => {
  const settings = await succeed(owner.server.settings())
  expect(settings).toHaveProperty('zulip_version')
  expect(settings).toHaveProperty('zulip_feature_level')
  const registered = await succeed(owner.queues.register({ event_types: ['realm'], fetch_event_types: ['realm'] }))
  const { zulip_feature_level } = settings
  expect(registered).toMatchObject({ zulip_feature_level, last_event_id: -1 })
})

it('subscribes, lists channels, subscriptions, and users, and unsubscribes', async () => {
  const added = await succeed(
    owner.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name: 'garden', description: 'Plants' }]) }),
  )
  expect(added).toMatchObject({ subscribed: { [ownerId]: ['garden'] }, already_subscribed: {} })
  expect((await succeed(owner.streams.retrieve()))['streams']).toMatchObject([{ name: 'garden' }])
  expect((await succeed(owner.streams.subscriptions.retrieve()))['subscriptions']).toMatchObject([{ name: 'garden' }])
  const users = await succeed(owner.users.retrieve({ client_gravatar: true }))
  expect(users['members']).toMatchObject([{ user_id: ownerId }, { user_id: friendId, full_name: 'Fred Friend' }])
  expect(users).not.toHaveProperty('ignored_parameters_unsupported')
  const removed = await succeed(owner.users.me.subscriptions.remove({ subscriptions: JSON.stringify(['garden']) }))
  expect(removed).toMatchObject({ removed: ['garden'], not_removed: [] })
})

it('registers for all events if the event types are omitted or null', async () => {
  expect(await succeed(owner.queues.register())).toHaveProperty('realm_users')
  expect(await succeed(owner.queues.register({ event_types: null }))).toHaveProperty('realm_users')
})

it('receives channel and direct messages as events', async () => {
  await createSharedChannel('kitchen')
  const listener = spawn(
    process.execPath,
    ['--input-type=module', '-e', LISTENER_PROGRAM, server().parley.url, FRIEND_EMAIL, PASSWORD],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void listener.kill())
  const seen: unknown[] = []
  createInterface({ input: listener.stdout }).on('line', (line) => seen.push(JSON.parse(line)))
  // The library registers its queue some time after the call. Messages sent later arrive.
  await expect.poll(() => server().parley.queues.count().parked).toBe(1)
  const toChannel = { type: 'stream', to: 'kitchen', subject: 'lunch', content: 'Soup **now**' }
  const { id: first } = await succeed(owner.messages.send(toChannel))
  const { id: second } = await succeed(owner.messages.send({ type: 'private', to: FRIEND_EMAIL, content: 'Only you' }))
  const { id: third } = await succeed(owner.messages.send({ type: 'private', to: [ownerId, friendId], content: 'Us' }))
  await expect.poll(() => seen.length).toBe(3)
  expect(seen).toMatchObject([
    { type: 'message', message: { id: first, type: 'stream', display_recipient: 'kitchen', subject: 'lunch' } },
    { type: 'message', message: { id: second, type: 'private', content: 'Only you' } },
    { type: 'message', message: { id: third, type: 'private' } },
  ])
})

it('polls an event queue, acknowledges its events, and deletes the queue', async () => {
  await createSharedChannel('attic')
  const { queue_id } = await succeed(friend.queues.register({ event_types: ['message'] }))
  const waiting = friend.events.retrieve({ queue_id, last_event_id: -1, dont_block: false })
  const { id } = await succeed(
    owner.callEndpoint('messages', 'POST', { type: 'channel', to: 'attic', topic: 'boxes', content: 'Dusty' }),
  )
  const { events } = await succeed(waiting)
  expect(events).toMatchObject([{ type: 'message', message: { id } }])
  const last_event_id = objectsIn(events)[0]?.['id']
  const after = await succeed(friend.events.retrieve({ queue_id, last_event_id, dont_block: true }))
  expect(after['events']).toEqual([])
  await succeed(friend.queues.deregister({ queue_id }))
  const gone = await friend.events.retrieve({ queue_id, last_event_id, dont_block: true })
  expect(gone).toMatchObject({ result: 'error', code: 'BAD_EVENT_QUEUE_ID', queue_id })
})

it('reads messages around an anchor and sets their flags', async () => {
  await createSharedChannel('cellar')
  const { id } = await succeed(
    owner.messages.send({ type: 'stream', to: 'cellar', topic: 'wine', content: 'Two bottles' }),
  )
  const latest = {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    client_gravatar: true,
    narrow: [{ operator: 'stream', operand: 'cellar' }],
  }
  const flags = async (): Promise<unknown> => {
    const { messages } = await succeed(friend.messages.retrieve(latest))
    const [message] = objectsIn(messages)
    expect(message?.['id']).toBe(id)
    return message?.['flags']
  }
  expect(await flags()).toEqual([])
  await succeed(friend.messages.flags.add({ messages: [id], flag: 'read' }))
  await succeed(friend.messages.flags.add({ messages: [id], flag: 'starred' }))
  expect(await flags()).toEqual(['read', 'starred'])
  await succeed(friend.messages.flags.remove({ messages: [id], flag: 'starred' }))
  expect(await flags()).toEqual(['read'])
  const shown = await succeed(friend.messages.getById({ message_id: id }))
  expect(shown).toMatchObject({ raw_content: 'Two bottles', message: { id, flags: ['read'] } })
})

it('creates a poll, reacts with known emoji names, and loads avatars', async () => {
  await createSharedChannel('lunch')
  const sent = await succeed(
    owner.messages.send({ to: 'lunch', type: 'stream', topic: 'today', content: '/poll Where?\nIn\nOut' }),
  )
  const message_id = Number(sent['id'])
  const poll = { widget_type: 'poll', extra_data: { question: 'Where?', options: ['In', 'Out'] } }
  const shown = await succeed(friend.messages.getById({ message_id }))
  expect(shown['message']).toMatchObject({
    submessages: [{ msg_type: 'widget', content: JSON.stringify(poll) }],
  })
  for (const [emoji_name, emoji_code] of [
    ['working_on_it', '1f6e0'],
    ['dog', '1f415'],
    ['flag_åland_islands', '1f1e6-1f1fd'],
    ['like', '1f44d'],
  ]) {
    await succeed(friend.reactions.add({ message_id, emoji_name, emoji_code, reaction_type: 'unicode_emoji' }))
    await succeed(friend.reactions.remove({ message_id, emoji_name, emoji_code, reaction_type: 'unicode_emoji' }))
    await succeed(friend.reactions.add({ message_id, emoji_name }))
    const { message } = await succeed(friend.messages.getById({ message_id }))
    expect(message).toMatchObject({ reactions: [{ emoji_name, emoji_code }] })
    await succeed(friend.reactions.remove({ message_id, emoji_code, reaction_type: 'unicode_emoji' }))
  }
  for (const path of [`${ownerId}`, `${ownerId}/medium`, `${ownerId}-medium.png`, FRIEND_EMAIL]) {
    const { status, headers } = await fetch(`${server().parley.url}/avatar/${path}`)
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'image/png'])
  }
})

it('changes a user with PATCH, and deactivates a user with DELETE', async () => {
  const { user_id } = await succeed(
    owner.users.create({ email: 'gone@example.com', password: PASSWORD, full_name: 'Gerda Gone' }),
  )
  const path = `users/${Number(user_id)}`
  await succeed(owner.callEndpoint(path, 'PATCH', { full_name: 'Gerda Gonzales' }))
  expect(await succeed(owner.callEndpoint(path))).toMatchObject({ user: { full_name: 'Gerda Gonzales' } })
  const deactivated = await succeed(
    owner.callEndpoint(path, 'DELETE', { deactivation_notification_comment: 'Good luck' }),
  )
  expect(deactivated).not.toHaveProperty('ignored_parameters_unsupported')
  const refused = await logIn('gone@example.com')
  expect(refused.config.apiKey).toBeUndefined()
})
