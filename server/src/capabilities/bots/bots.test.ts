import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fetchUnauthenticated, sendFiles } from '../../testing/files.ts'
import { useTestServer } from '../../testing/server.ts'
import { TestUser, type Body } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { expectFull, FILL_WITH_BOTS } from '../../testing/full.ts'
import { BOT_LIMIT } from './contract.ts'
import { BOT_EVENT_OPTIONS, createPeople, asUser, makeBot, refusal } from './testing/bots.ts'

const server = useTestServer()

const NO_DEFAULTS = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
}

async function managedBots(user: TestUser): Promise<Body[]> {
  const { state } = await user.register({ event_types: ['realm_bot'] })
  return state['realm_bots']
}

describe('bot creation', () => {
  it('creates a bot that can call the API, notifies everyone, and sends its API key only to managers', async () => {
    const organization = await server().organization()
    const people = await createPeople(organization)
    const look = await watch(people, BOT_EVENT_OPTIONS)
    const made = await people.mia.call('POST', '/bots', { full_name: ' Bert Bot ', short_name: 'bert' })
    const email = `bert-bot@${organization.host}`
    const bert = asUser(people.mia, email, made)
    const avatar_url = `/avatar/${bert.id}?version=1`
    expect(made).toEqual({
      result: 'success',
      msg: '',
      user_id: bert.id,
      api_key: bert.apiKey,
      avatar_url,
      services: [],
      ...NO_DEFAULTS,
    })
    const bot = {
      user_id: bert.id,
      email,
      full_name: 'Bert Bot',
      bot_type: 1,
      owner_id: people.mia.id,
      api_key: bert.apiKey,
      avatar_url,
      ...NO_DEFAULTS,
      services: [],
      is_active: true,
    }
    const person = { user_id: bert.id, is_bot: true, bot_type: 1, bot_owner_id: people.mia.id, role: 400 }
    const joined = { type: 'realm_user', op: 'add', person }
    const added = { type: 'realm_bot', op: 'add', bot }
    expect(await look()).toMatchObject({
      owner: [joined, added],
      ada: [joined, added],
      mia: [joined, added],
      bob: [joined],
    })
    expect(await bert.call('GET', '/users/me')).toMatchObject({ user_id: bert.id, is_bot: true })
    expect(await managedBots(people.mia)).toEqual([bot])
    expect(await managedBots(people.ada)).toEqual([bot])
    expect(await managedBots(people.bob)).toEqual([])
    const { bots } = await people.mia.call('GET', '/bots')
    const { api_key, full_name } = bot
    expect(bots).toEqual([{ user_id: bert.id, username: email, api_key, full_name, avatar_url, ...NO_DEFAULTS }])
    expect((await people.ada.call('GET', '/bots'))['bots']).toEqual([])
  })

  it('lets only permitted people create bots, never guests or bots', async () => {
    const { owner, user } = await server().organization()
    const [mia, gus] = [await user('Mia'), await user('Gus Guest', { role: 600 })]
    const bert = await makeBot(mia)
    const { realm_user_groups } = await owner.call('POST', '/register', { fetch_event_types: ['realm_user_groups'] })
    const nobody = realm_user_groups.find(({ name }) => name === 'role:nobody')?.['id']
    const only = { direct_members: [mia.id, gus.id, bert.id], direct_subgroups: [] }
    await owner.call('PATCH', '/realm', { can_create_bots_group: { new: nobody } })
    await owner.call('PATCH', '/realm', { can_create_write_only_bots_group: { new: only } })
    const look = await watch({ owner, mia }, BOT_EVENT_OPTIONS)
    const wanted = { full_name: 'Ben Bot', short_name: 'ben' }
    const insufficient = [400, 'BAD_REQUEST', 'Insufficient permission']
    for (const one of [owner, mia, gus]) expect(refusal(await one.try('POST', '/bots', wanted))).toEqual(insufficient)
    const hook = { ...wanted, bot_type: 2 }
    for (const one of [owner, gus, bert]) expect(refusal(await one.try('POST', '/bots', hook))).toEqual(insufficient)
    expect(await look()).toEqual({ owner: [], mia: [] })
    await mia.call('POST', '/bots', hook)
    await owner.call('PATCH', '/realm', { can_create_bots_group: { new: only } })
    await owner.call('PATCH', '/realm', { can_create_write_only_bots_group: { new: nobody } })
    await mia.call('POST', '/bots', { full_name: 'Bea Bot', short_name: 'bea', bot_type: 2 })
  })

  it('rejects invalid or taken bot names, addresses, and types', async () => {
    const { owner, user } = await server().organization()
    await makeBot(owner)
    const gone = await user('Gone')
    await owner.call('DELETE', `/users/${gone.id}`)
    const look = await watch({ owner })
    const attempt = async (more: Body): Promise<unknown> =>
      (await owner.try('POST', '/bots', { full_name: 'Ben Bot', short_name: 'ben', ...more })).body['msg']
    expect(await attempt({ full_name: 'bert BOT' })).toBe('Name is already in use.')
    expect(await attempt({ full_name: 'Olivia Owner' })).toBe('Name is already in use.')
    expect(await attempt({ full_name: 'Notification Bot' })).toBe('Name is already in use.')
    expect(await attempt({ full_name: ' ' })).toBe('Name too short!')
    expect(await attempt({ short_name: 'bert' })).toContain('already in use')
    expect(await attempt({ short_name: ' ' })).toBe('Bad name or username')
    expect(await attempt({ short_name: 'a b' })).toBe('Enter a valid email address.')
    for (const bot_type of [0, 5, -1]) expect(await attempt({ bot_type })).toBe('Invalid bot type')
    expect(await attempt({ default_sending_stream: 'nowhere' })).toBe("Channel 'nowhere' does not exist")
    expect(await attempt({ full_name: 'x'.repeat(101) })).toContain('too long')
    expect((await look()).owner).toEqual([])
    expect(await attempt({ full_name: 'Gone' })).toBe('')
  })
})

describe('incoming webhook bots', () => {
  it('lets an incoming webhook bot send messages and nothing else', async () => {
    const { owner } = await server().organization()
    const hook = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
    const kind = { user_id: hook.id, is_bot: true, bot_type: 2, bot_owner_id: owner.id }
    expect((await owner.call('GET', '/users'))['members']).toMatchObject([{ bot_type: null }, kind])
    await owner.subscribe(['news'])
    const look = await watch({ owner }, { event_types: ['message'] })
    await hook.send('news', 'builds', 'It works')
    expect(await look()).toMatchObject({ owner: [{ message: { content: '<p>It works</p>', sender_id: hook.id } }] })
    const unavailable = [400, 'BAD_REQUEST', 'This API is not available to incoming webhook bots.']
    expect(refusal(await hook.try('GET', '/users/me'))).toEqual(unavailable)
    expect(refusal(await hook.try('POST', '/register'))).toEqual(unavailable)
    expect(refusal(await hook.try('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 }))).toEqual(
      unavailable,
    )
    // A wrong key must not reveal the type of the bot.
    const other = new TestUser(hook.url, hook.host, hook.email, 'wrong', hook.id)
    expect((await other.try('GET', '/users/me')).body['code']).toBe('INVALID_API_KEY')
  })
})

describe('bot defaults', () => {
  it("sends a bot's message to its default channel if the message names no channel", async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['news', 'other'])
    const bot = await makeBot(owner, 'Bert Bot', { default_sending_stream: 'NEWS' })
    const look = await watch({ owner }, { event_types: ['message'] })
    for (const to of ['', []]) await bot.call('POST', '/messages', { type: 'stream', to, topic: 'a', content: 'b' })
    await bot.send('other', 'a', 'b')
    const into = (await look()).owner.map(({ message }) => message?.['display_recipient'])
    expect(into).toEqual(['news', 'news', 'other'])
    await owner.call('PATCH', `/bots/${bot.id}`, { default_sending_stream: '' })
    const { status } = await bot.try('POST', '/messages', { type: 'stream', to: '', topic: 'a', content: 'b' })
    expect(status).toBe(400)
  })

  it("registers a bot's queue, by default, for the bot's default channel or all public channels", async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['news', 'other'])
    const bot = await makeBot(owner, 'Bert Bot', { default_all_public_streams: true })
    const hears = async (more: Body = {}): Promise<unknown[]> => {
      const queue = await bot.register({ event_types: ['message'], ...more })
      await owner.send('news', 'a', 'b')
      await owner.send('other', 'a', 'b')
      return (await queue.events()).map(({ message }) => message?.['display_recipient'])
    }
    expect(await hears()).toEqual(['news', 'other'])
    expect(await hears({ all_public_streams: false })).toEqual([])
    await owner.call('PATCH', `/bots/${bot.id}`, { default_events_register_stream: 'news' })
    expect(await hears()).toEqual(['news'])
    expect(await hears({ narrow: [['channel', 'other']] })).toEqual(['other'])
  })

  it('sends a bot no events of a hidden default channel', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['news'])
    await owner.subscribe(['secret'], { invite_only: true })
    const bot = await makeBot(owner, 'Bert Bot', {
      default_all_public_streams: true,
      default_events_register_stream: 'secret',
    })
    const queue = await bot.register({ event_types: ['message'] })
    const sendAndListReceived = async (): Promise<unknown[]> => {
      for (const channel of ['news', 'secret']) await owner.send(channel, 'a', 'b')
      return (await queue.events()).map(({ message }) => message?.['display_recipient'])
    }
    expect(await sendAndListReceived()).toEqual([])
    await owner.subscribe(['secret'], { principals: [bot.id] })
    expect(await sendAndListReceived()).toEqual(['secret'])
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'secret' })
    await owner.call('PATCH', `/streams/${String(stream_id)}`, { new_name: 'gone' })
    const later = await bot.register({ event_types: ['message'] })
    await owner.send('gone', 'a', 'b')
    expect((await later.events()).length).toBe(1)
  })
})

describe('bot changes', () => {
  it("lets a bot's owner and administrators change the bot, and notifies the bot's managers", async () => {
    const people = await createPeople(await server().organization())
    const { mia, ada, bob } = people
    const bert = await makeBot(mia)
    await mia.subscribe(['news'])
    const look = await watch(people, BOT_EVENT_OPTIONS)
    const defaults = { default_sending_stream: 'news', default_all_public_streams: true }
    const answer = await mia.call('PATCH', `/bots/${bert.id}`, { full_name: 'Ben Bot', ...defaults })
    expect(answer).toMatchObject({
      full_name: 'Ben Bot',
      avatar_url: `/avatar/${bert.id}?version=1`,
      ...NO_DEFAULTS,
      ...defaults,
      bot_owner: mia.email,
    })
    const renamed = { type: 'realm_user', op: 'update', person: { user_id: bert.id, full_name: 'Ben Bot' } }
    const bot = (changes: Body): Body => ({ type: 'realm_bot', op: 'update', bot: { user_id: bert.id, ...changes } })
    const both = [renamed, bot({ full_name: 'Ben Bot' }), bot(defaults)]
    expect(await look()).toEqual({ owner: both, ada: both, mia: both, bob: [renamed] })
    await ada.call('PATCH', `/bots/${bert.id}`, { full_name: 'Bert Bot' })
    await look()
    await mia.call('PATCH', `/bots/${bert.id}`, { full_name: 'Bert Bot', role: 400, bot_owner_id: mia.id, ...defaults })
    const change = async (user: TestUser, more: Body, id = bert.id): Promise<unknown> =>
      (await user.try('PATCH', `/bots/${id}`, more)).body['msg']
    expect(await change(bob, { full_name: 'Mine' })).toBe('Insufficient permission')
    expect(await change(mia, { role: 200 })).toBe('Insufficient permission')
    expect(await change(ada, { role: 100 })).toBe('Must be an organization owner')
    expect(await change(ada, { full_name: 'Bob', default_all_public_streams: false })).toBe('Name is already in use.')
    expect(await change(ada, {}, mia.id)).toBe('No such bot')
    expect(await change(ada, {}, 999_999)).toBe('No such bot')
    expect(await look()).toEqual({ owner: [], ada: [], mia: [], bob: [] })
  })

  it('shows administrators the bots they can manage, and hides those bots from a demoted administrator', async () => {
    const people = await createPeople(await server().organization())
    const { owner, ada, bob } = people
    const [bert, bea] = [await makeBot(owner), await makeBot(owner, 'Bea Bot')]
    await owner.call('PATCH', `/bots/${bea.id}`, { role: 100 })
    const look = await watch({ ada, bob }, { event_types: ['realm_bot'] })
    await owner.call('PATCH', `/users/${bob.id}`, { role: 200 })
    expect(await look()).toMatchObject({ ada: [], bob: [{ op: 'add', bot: { user_id: bert.id } }] })
    // With an owner's bot, an administrator could act as an owner.
    for (const path of [`/bots/${bea.id}/api_key`, `/bots/${bea.id}/api_key/regenerate`]) {
      const { body } = await ada.try(path.endsWith('key') ? 'GET' : 'POST', path)
      expect(body['msg']).toBe('Insufficient permission')
    }
    expect(await managedBots(ada)).toMatchObject([{ user_id: bert.id }])
    await owner.call('PATCH', `/bots/${bert.id}`, { role: 100 })
    const hidden = { op: 'delete', bot: { user_id: bert.id } }
    expect(await look()).toMatchObject({ ada: [hidden], bob: [hidden] })
    await owner.call('PATCH', `/bots/${bert.id}`, { role: 400 })
    await owner.call('PATCH', `/users/${bob.id}`, { role: 400 })
    const shown = { op: 'add', bot: { user_id: bert.id, api_key: bert.apiKey } }
    expect(await look()).toMatchObject({ ada: [shown], bob: [shown, hidden] })
  })
})

describe('bot pictures', () => {
  it("sets a bot's picture at creation or later and notifies the bot's managers", async () => {
    const { owner } = await server().organization()
    const content = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const files = [{ name: 'bot.png', content }]
    const { body } = await sendFiles(owner, '/bots?full_name=Bert+Bot&short_name=bert', files)
    const first = String(body['avatar_url'])
    expect(first).toMatch(/^\/user_avatars\/[\w-]{24}\.png$/)
    expect((await fetchUnauthenticated(owner, first)).status).toBe(200)
    const look = await watch({ owner }, { event_types: ['realm_bot'] })
    const answer = await sendFiles(owner, `/bots/${String(body['user_id'])}`, files, 'PATCH')
    const second = String(answer.body['avatar_url'])
    expect(second).not.toBe(first)
    expect(await look()).toMatchObject({ owner: [{ op: 'update', bot: { avatar_url: second } }] })
    // The server deletes the replaced picture, and the picture of the rejected bot.
    expect((await fetchUnauthenticated(owner, first)).status).toBe(404)
    const refused = await sendFiles(owner, '/bots?full_name=Bert+Bot&short_name=other', files)
    expect(refused.body['msg']).toBe('Name is already in use.')
    const bad = await sendFiles(owner, '/bots?full_name=Ben&short_name=ben', [{ name: 'a.png', content: 'no picture' }])
    expect(bad.body['code']).toBe('BAD_IMAGE')
  })
})

describe('bot API keys', () => {
  it("lets managers replace a bot's API key and sends the new key to every manager", async () => {
    const people = await createPeople(await server().organization())
    const { mia, bob } = people
    const bert = await makeBot(mia)
    const look = await watch(people)
    const { api_key } = await mia.call('POST', `/bots/${bert.id}/api_key/regenerate`)
    expect(api_key).not.toBe(bert.apiKey)
    const told = [{ type: 'realm_bot', op: 'update', bot: { user_id: bert.id, api_key } }]
    expect(await look()).toEqual({ owner: told, ada: told, mia: told, bob: [] })
    expect(refusal(await bert.try('GET', '/users/me'))).toEqual([401, 'INVALID_API_KEY', 'Invalid API key'])
    const renewed = asUser(mia, bert.email, { user_id: bert.id, api_key })
    const own = await renewed.call('POST', '/users/me/api_key/regenerate')
    expect(await mia.call('GET', `/bots/${bert.id}/api_key`)).toMatchObject({ api_key: own['api_key'] })
    for (const user of [bob, renewed]) {
      expect((await user.try('POST', `/bots/${bert.id}/api_key/regenerate`)).status).toBeGreaterThanOrEqual(400)
    }
    expect(refusal(await mia.try('GET', `/bots/${bob.id}/api_key`))).toEqual([400, 'BAD_REQUEST', 'No such bot'])
  })

  it('lets people replace only their own API key', async () => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann')
    const look = await watch({ owner })
    const { api_key } = await ann.call('POST', '/users/me/api_key/regenerate')
    expect((await ann.try('GET', '/users/me')).body['code']).toBe('INVALID_API_KEY')
    const again = asUser(ann, ann.email, { user_id: ann.id, api_key })
    expect(await again.call('GET', '/users/me')).toMatchObject({ user_id: ann.id })
    expect(await look()).toEqual({ owner: [] })
  })
})

describe('bot deactivation and reactivation', () => {
  it("notifies a bot's managers when the bot is deactivated, and keeps the bot's messages", async () => {
    const people = await createPeople(await server().organization())
    const { mia, bob, owner } = people
    const bert = await makeBot(mia)
    const look = await watch(people, BOT_EVENT_OPTIONS)
    expect(refusal(await bob.try('DELETE', `/bots/${bert.id}`))[2]).toBe('Insufficient permission')
    expect(refusal(await mia.try('DELETE', `/bots/${mia.id}`))[2]).toBe('No such bot')
    await mia.call('DELETE', `/bots/${bert.id}`)
    const user = { type: 'realm_user', op: 'update', person: { user_id: bert.id, is_active: false } }
    const bot = { type: 'realm_bot', op: 'update', bot: { user_id: bert.id, is_active: false } }
    expect(await look()).toEqual({ owner: [user, bot], ada: [user, bot], mia: [user, bot], bob: [user] })
    expect((await mia.call('GET', '/bots'))['bots']).toEqual([])
    expect(await managedBots(mia)).toMatchObject([{ user_id: bert.id, is_active: false }])
    const other = await makeBot(bob, 'Bert Bot', { short_name: 'other' })
    const { body } = await owner.try('POST', `/users/${bert.id}/reactivate`)
    expect(body['msg']).toBe('Name is already in use.')
    await owner.call('PATCH', `/bots/${other.id}`, { full_name: 'Another' })
    await look()
    await owner.call('POST', `/users/${bert.id}/reactivate`)
    expect((await look()).mia).toMatchObject([{ person: { is_active: true } }, { bot: { is_active: true } }])
    expect((await bert.try('GET', '/users/me')).status).toBe(200)
  })

  it("gives a deactivated owner's bot to the administrator who reactivates the bot", async () => {
    const people = await createPeople(await server().organization())
    const { mia, ada } = people
    const bert = await makeBot(mia)
    await people.owner.call('DELETE', `/users/${mia.id}`)
    expect((await bert.try('GET', '/users/me')).body['code']).toBe('USER_DEACTIVATED')
    await ada.call('POST', `/users/${bert.id}/reactivate`)
    expect(await managedBots(ada)).toMatchObject([{ user_id: bert.id, owner_id: ada.id, is_active: true }])
  })
})

it('limits the number of bots per owner, including deactivated bots', async () => {
  await expectFull(BOT_LIMIT, {
    fill: [FILL_WITH_BOTS],
    make: async (owner) => owner.try('POST', '/bots', { full_name: 'One more', short_name: 'more' }),
    refusal: 'A user can own at most 500 bots.',
  })
})
