import { describe, expect, it } from 'vitest'
import type { EventFields } from '../../testing/contract-types.ts'
import { useTestServer } from '../../testing/server.ts'
import { changeSettings } from '../organizations/testing/settings.ts'
import { eventsOf, type Parameters, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer({ PARLEY_WEB_PUBLIC_CHANNELS: '1' })

const SUBSCRIPTIONS_PATH = '/users/me/subscriptions'

async function idOf(user: TestUser, name: string): Promise<number> {
  return (await user.call('GET', '/get_stream_id', { stream: name }))['stream_id']
}

function messagesIn(events: readonly EventFields[]): unknown[] {
  return eventsOf(events, 'message').map(({ message }) => {
    expect(message.sender_full_name).toBe('Notification Bot')
    return message.type === 'stream' ? [message.display_recipient, message.subject, message.content] : message.content
  })
}

function mentionOf(user: TestUser, name: string): string {
  return `<span class="user-mention silent" data-user-id="${user.id}">${name}</span>`
}

function linkTo(id: number, name: string): string {
  return `<a class="stream" data-stream-id="${id}" href="/#narrow/channel/${id}-${name}">#${name}</a>`
}

describe('subscription notices', () => {
  it('sends a message to each person whom someone else subscribed to a channel', async () => {
    const { owner, user } = await server().organization()
    const [mia, otto] = [await user('Mia Member'), await user('Otto Other')]
    const bot = await user('Bert Bot', { bot: { ownerId: owner.id } })
    await owner.subscribe(['old'], { principals: [owner.id, otto.id] })
    const look = await watch({ owner, mia, otto, bot })
    const answer = await owner.call('POST', SUBSCRIPTIONS_PATH, {
      subscriptions: [{ name: 'old' }, { name: 'new' }],
      principals: [owner.id, mia.id, otto.id, bot.id],
    })
    expect(answer).toMatchObject({ new_subscription_messages_sent: true })
    const [old, fresh] = [await idOf(owner, 'old'), await idOf(owner, 'new')]
    const by = mentionOf(owner, 'Olivia Owner')
    const seen = await look()
    expect(messagesIn(seen.mia)).toEqual([
      `<p>${by} subscribed you to the following channels:</p>\n<ul>\n<li>${linkTo(old, 'old')}</li>\n` +
        `<li>${linkTo(fresh, 'new')}</li>\n</ul>`,
    ])
    expect(messagesIn(seen.otto)).toEqual([`<p>${by} subscribed you to the channel ${linkTo(fresh, 'new')}.</p>`])
    expect([messagesIn(seen.owner), messagesIn(seen.bot)]).toEqual([[], []])
    await owner.call('POST', '/channels/create', { name: 'made', subscribers: [mia.id, owner.id], invite_only: true })
    expect(messagesIn((await look()).mia)).toHaveLength(1)
  })

  it('sends no subscription messages if disabled, to existing subscribers, or to over 100 people at once', async () => {
    const { owner, user } = await server().organization()
    const mia = await user('Mia Member')
    const many = await Promise.all(Array.from({ length: 99 }, async (_, index) => user(`Person ${index}`)))
    await owner.call('POST', '/channels/create', { name: 'general', subscribers: [owner.id] })
    const look = await watch({ mia })
    const join = async (names: readonly string[], more: Parameters): Promise<unknown> => {
      const subscriptions = names.map((name) => ({ name }))
      return (await owner.call('POST', SUBSCRIPTIONS_PATH, { subscriptions, ...more }))[
        'new_subscription_messages_sent'
      ]
    }
    const hundred = [mia, ...many].map(({ id }) => id)
    const last = (await user('One Too Many')).id
    await look()
    expect(await join(['a'], { principals: [mia.id], send_new_subscription_messages: false })).toBeUndefined()
    expect(await join(['a'], { principals: [mia.id] })).toBe(true)
    expect(await join(['b'], { principals: [...hundred, last] })).toBe(false)
    await owner.call('POST', '/channels/create', { name: 'c', subscribers: [...hundred, last] })
    expect(messagesIn((await look()).mia)).toEqual([])
    expect(await join(['d'], { principals: [...hundred, owner.id] })).toBe(true)
    expect(messagesIn((await look()).mia)).toHaveLength(1)
  })

  it('escapes Markdown in the channel name of a subscription message', async () => {
    const { owner, user } = await server().organization()
    const mia = await user('Mia Member')
    const look = await watch({ mia })
    const name = '** @**all** [x](http://evil.example)'
    await owner.call('POST', '/channels/create', { name, subscribers: [mia.id], invite_only: true })
    const [message] = messagesIn((await look()).mia)
    expect(message).toContain(`>#${name}</a>`)
    expect(message).not.toContain('wildcard')
    expect(message).not.toContain('href="http://evil.example"')
  })

  it('sends no subscription message for a refused request', async () => {
    const { owner, user } = await server().organization()
    const mia = await user('Mia Member')
    await owner.subscribe(['taken'])
    const look = await watch({ mia })
    await owner.try('POST', '/channels/create', { name: 'taken', subscribers: [mia.id] })
    expect(await look()).toEqual({ mia: [] })
  })
})

describe('channel announcements', () => {
  it('announces only web-public channels in a web-public announcement channel', async () => {
    const { id: organizationId, owner } = await server().organization()
    await owner.call('PATCH', '/realm', { enable_spectator_access: true })
    const channel = { subscribers: [owner.id], is_web_public: true }
    const { id: news } = await owner.call('POST', '/channels/create', { name: 'news', ...channel })
    await changeSettings(server().parley, organizationId, { new_stream_announcements_stream_id: news })
    const look = await watch({ owner })
    await owner.subscribe(['for members'], { announce: true })
    expect(messagesIn((await look()).owner)).toEqual([])
    const { id } = await owner.call('POST', '/channels/create', { name: 'garden', ...channel, announce: true })
    const text = `${mentionOf(owner, 'Olivia Owner')} created a new channel ${linkTo(id, 'garden')}.`
    expect(messagesIn((await look()).owner)).toEqual([['news', 'new channels', `<p>${text}</p>`]])
  })

  it('announces new public channels in the announcement channel on request', async () => {
    const { id: organizationId, owner, user } = await server().organization()
    const mia = await user('Mia Member')
    await mia.subscribe(['news'])
    const look = await watch({ mia })
    await owner.subscribe(['unheard'], { announce: true })
    const news = await idOf(mia, 'news')
    await changeSettings(server().parley, organizationId, { new_stream_announcements_stream_id: news })
    await owner.subscribe(['silent'])
    await owner.subscribe(['secret'], { announce: true, invite_only: true })
    expect(messagesIn((await look()).mia)).toEqual([])
    await owner.subscribe(['one', 'two'], { announce: true })
    await owner.call('POST', '/channels/create', { name: 'three', subscribers: [], announce: true })
    const by = mentionOf(owner, 'Olivia Owner')
    const [one, two, three] = [await idOf(owner, 'one'), await idOf(owner, 'two'), await idOf(owner, 'three')]
    expect(messagesIn((await look()).mia)).toEqual([
      [
        'news',
        'new channels',
        `<p>${by} created the following new channels: ${linkTo(one, 'one')}, ${linkTo(two, 'two')}.</p>`,
      ],
      ['news', 'new channels', `<p>${by} created a new channel ${linkTo(three, 'three')}.</p>`],
    ])
    await owner.call('DELETE', `/streams/${news}`)
    await look()
    await owner.subscribe(['four'], { announce: true })
    expect(messagesIn((await look()).mia)).toEqual([])
  })
})

describe('channel event messages', () => {
  it('omits the earlier name and description of a channel that becomes web-public', async () => {
    const { id: organizationId, owner } = await server().organization()
    await owner.call('PATCH', '/realm', { enable_spectator_access: true })
    await owner.subscribe(['layoffs'])
    await changeSettings(server().parley, organizationId, { send_channel_events_messages: true })
    const id = await idOf(owner, 'layoffs')
    const look = await watch({ owner })
    await owner.call('PATCH', `/streams/${id}`, { new_name: 'garden', description: 'Peas', is_web_public: true })
    const by = mentionOf(owner, 'Olivia Owner')
    const text = `${by} changed the access permissions for this channel from <strong>Public</strong> to <strong>Web-public</strong>.`
    expect(messagesIn((await look()).owner)).toEqual([['garden', 'channel events', `<p>${text}</p>`]])
  })

  it('posts messages about channel changes in the channel if the organization enables such messages', async () => {
    const { id: organizationId, owner, user } = await server().organization()
    const mia = await user('Mia Member')
    await changeSettings(server().parley, organizationId, { send_channel_events_messages: true })
    const look = await watch({ mia })
    await owner.subscribe(['plans'], { principals: [mia.id] })
    const id = await idOf(owner, 'plans')
    const by = mentionOf(owner, 'Olivia Owner')
    const channelEventMessage = (name: string, text: string): unknown[] => [name, 'channel events', text]
    expect(messagesIn((await look()).mia)).toEqual([
      channelEventMessage(
        'plans',
        `<p><strong>Public</strong> channel created by ${by}. <strong>Description:</strong></p>\n` +
          `<p><em>No description.</em></p>`,
      ),
    ])
    const { state } = await mia.register()
    expect(state.unread_msgs.streams).toMatchObject([{ stream_id: id, topic: 'channel events' }])
    await owner.call('PATCH', `/streams/${id}`, {
      new_name: 'pl*ns',
      description: '#**secret**',
      is_private: true,
      message_retention_days: 7,
      topics_policy: 'disable_empty_topic',
    })
    const texts = eventsOf((await look()).mia, 'message').map(({ message }) => message.content)
    expect(texts[0]).toBe(`<p>${by} renamed channel <strong>plans</strong> to <strong>pl*ns</strong>.</p>`)
    expect(texts[1]).toMatch(/changed the description.*No description.*#\*\*secret\*\*/s)
    expect(texts[2]).toMatch(/from <strong>Public<\/strong> to <strong>Private, protected history<\/strong>/)
    expect(texts[3]).toMatch(/from <strong>as in the organization<\/strong> to <strong>7 days<\/strong>/)
    expect(texts[4]).toMatch(/to <strong>only with a topic<\/strong>/)
    expect(texts).toHaveLength(5)
    await owner.call('DELETE', `/streams/${id}`)
    await owner.call('PATCH', `/streams/${id}`, { is_archived: false })
    expect(eventsOf((await look()).mia, 'message').map(({ message }) => message.content)).toEqual([
      `<p>${by} archived this channel.</p>`,
      `<p>${by} unarchived this channel.</p>`,
    ])
  })

  it('posts messages about a channel in the empty topic if the channel allows no other topics', async () => {
    const { id: organizationId, owner } = await server().organization()
    await changeSettings(server().parley, organizationId, { send_channel_events_messages: true })
    const look = await watch({ owner })
    await owner.subscribe(['plans'], { topics_policy: 'empty_topic_only' })
    expect(messagesIn((await look()).owner)).toMatchObject([['plans', '', expect.any(String)]])
  })
})
