import { describe, expect, it } from 'vitest'
import { botChannels } from '../../platform/db/migrations/2026-11-22.ts'
import { useTestServer } from '../../testing/server.ts'
import { TestUser, type Body } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

const NO_DEFAULTS = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
}

async function createPeople(): Promise<Record<'owner' | 'ada' | 'mia' | 'bob', TestUser>> {
  const { owner, user } = await server().organization()
  return { owner, ada: await user('Ada Admin', { role: 200 }), mia: await user('Mia Member'), bob: await user('Bob') }
}

async function createBot(owner: TestUser, defaults: Body = {}): Promise<TestUser> {
  const wanted = { full_name: 'Bert Bot', short_name: 'bert', ...defaults }
  const { api_key, user_id } = await owner.call('POST', '/bots', wanted)
  return new TestUser(owner.url, owner.host, `bert-bot@${owner.host}`, api_key, user_id)
}

async function managedBotsOf(user: TestUser): Promise<unknown> {
  return (await user.register({ event_types: ['realm_bot'] })).state['realm_bots']
}

describe('default channels of bots', () => {
  it("keeps a bot's default channel after a rename, and notifies managers who can see the channel", async () => {
    const people = await createPeople()
    const { owner, mia, ada } = people
    await mia.subscribe(['news'])
    const both = { default_sending_stream: 'news', default_events_register_stream: 'news' }
    const bot = await createBot(mia, both)
    const [known, fresh] = [
      await mia.register({ event_types: ['realm_bot'] }),
      await watch(people, { event_types: ['realm_bot'] }),
    ]
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
    await owner.call('PATCH', `/streams/${String(stream_id)}`, { new_name: 'olds' })
    const update = (changes: Body): Body => ({ type: 'realm_bot', op: 'update', bot: { user_id: bot.id, ...changes } })
    const told = [update({ default_sending_stream: 'olds' }), update({ default_events_register_stream: 'olds' })]
    expect(await fresh()).toEqual({ owner: told, ada: told, mia: told, bob: [] })
    expect((await known.events()).length).toBe(2)
    const renamed = { default_sending_stream: 'olds', default_events_register_stream: 'olds' }
    for (const one of [mia, ada]) expect(await managedBotsOf(one)).toMatchObject([renamed])
    expect((await mia.call('GET', '/bots'))['bots']).toMatchObject([renamed])
    expect(await mia.call('PATCH', `/bots/${bot.id}`, { default_all_public_streams: true })).toMatchObject(renamed)
    // The default follows the channel's ID, not its name.
    await owner.subscribe(['news'])
    const look = await watch({ mia }, { event_types: ['message'] })
    await bot.call('POST', '/messages', { type: 'stream', to: '', topic: 'a', content: 'b' })
    expect(await look()).toMatchObject({ mia: [{ message: { display_recipient: 'olds' } }] })
  })

  it("hides a bot's default channel from managers who cannot see the channel", async () => {
    const people = await createPeople()
    const { owner, mia, ada } = people
    await mia.subscribe(['news'])
    await owner.subscribe(['secret'], { invite_only: true })
    const bot = await createBot(mia, { default_events_register_stream: 'news' })
    const look = await watch(people, { event_types: ['realm_bot'] })
    const update = (changes: Body): Body => ({ type: 'realm_bot', op: 'update', bot: { user_id: bot.id, ...changes } })
    const [hidden, shown] = [null, 'secret'].map((name) => update({ default_sending_stream: name }))
    await ada.call('PATCH', `/bots/${bot.id}`, { default_sending_stream: 'secret' })
    expect(await look()).toEqual({ owner: [shown], ada: [shown], mia: [hidden], bob: [] })
    const unknown = { ...NO_DEFAULTS, default_events_register_stream: 'news' }
    expect(await managedBotsOf(mia)).toMatchObject([unknown])
    expect((await mia.call('GET', '/bots'))['bots']).toMatchObject([unknown])
    expect(await mia.call('PATCH', `/bots/${bot.id}`, { full_name: 'Ben Bot' })).toMatchObject(unknown)
    await look()
    const toNothing = { type: 'stream', to: '', topic: 'a', content: 'b' }
    const refused = await bot.try('POST', '/messages', toNothing)
    expect(refused).toEqual(await mia.try('POST', '/messages', toNothing))
    await owner.subscribe(['secret'], { principals: [mia.id] })
    expect(await look()).toEqual({ owner: [], ada: [], mia: [shown], bob: [] })
    await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'], principals: [mia.id] })
    expect(await look()).toEqual({ owner: [], ada: [], mia: [hidden], bob: [] })
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'secret' })
    await owner.call('PATCH', `/streams/${String(stream_id)}`, { is_private: false })
    expect(await look()).toEqual({ owner: [], ada: [], mia: [shown], bob: [] })
    await owner.call('PATCH', `/streams/${String(stream_id)}`, { is_private: true })
    await look()
    // A former administrator no longer manages other people's bots.
    await owner.call('PATCH', `/users/${mia.id}`, { role: 200 })
    expect(await look()).toEqual({ owner: [], ada: [], mia: [shown], bob: [] })
    await owner.call('PATCH', `/users/${ada.id}`, { role: 400 })
    const lost = { type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }
    expect(await look()).toEqual({ owner: [], ada: [lost], mia: [], bob: [] })
    await owner.call('PATCH', `/streams/${String(stream_id)}`, { new_name: 'other' })
    const renamed = update({ default_sending_stream: 'other' })
    expect(await look()).toEqual({ owner: [renamed], ada: [], mia: [renamed], bob: [] })
  })

  it('migrates default channels stored by name to channel IDs', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['news'])
    const bot = await createBot(owner)
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
    const { pool } = server().parley.database
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('alter table users drop column bot_habits')
      const defaults = { default_sending_stream: 'news', default_events_register_stream: 'gone' }
      await client.query('update users set bot_defaults = $2 where email = $1', [bot.email, defaults])
      await client.query(botChannels)
      const { rows } = await client.query('select bot_habits from users where email = $1', [bot.email])
      expect(rows).toEqual([{ bot_habits: { ...NO_DEFAULTS, default_sending_stream: stream_id } }])
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
