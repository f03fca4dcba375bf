import { describe, expect, it } from 'vitest'
import { anyNumber } from '../../testing/expected.ts'
import { useTestServer } from '../../testing/server.ts'
import { callApi, type Parameters } from '../../testing/user.ts'
import {
  skipPushPauses,
  waitForPushes,
  storedPushes,
  createFixtureOn,
  waitUntilPushesEnd,
  subscribeDevice,
  pushesSince,
  type Fixture,
} from './testing/scene.ts'

const server = useTestServer({ PARLEY_OUTSIDE_ALLOW: 'localhost' })

const createFixture = async (): Promise<Fixture> => createFixtureOn(server())

describe('push notifications for direct messages', () => {
  it('pushes a direct message, encrypted, only to the devices of its recipient', async () => {
    const place = await createFixture()
    const { owner, ann, bob, service, device } = place
    const [second, ofBob, ofOwner] = [service.device(), service.device(), service.device()]
    await subscribeDevice(ann, second)
    await subscribeDevice(bob, ofBob)
    await subscribeDevice(owner, ofOwner)
    const id = await bob.sendTo([ann.id], 'Hello **Ann**, see :wave: `code`\n\n* one\n* two')
    const told = {
      type: 'message',
      message_id: id,
      language: 'en',
      sender: 'Bob',
      timestamp: anyNumber,
      user_ids: [bob.id],
      names: ['Bob'],
      content: 'Hello Ann, see 👋 code one two',
    }
    expect(await waitForPushes(device, 1)).toEqual([told])
    expect(await waitForPushes(second, 1)).toEqual([told])
    const { application_server_key } = await ann.call('GET', '/push_subscriptions')
    const [push] = device.pushes()
    expect(push?.serverKey).toBe(application_server_key)
    expect(String(push?.claims['sub'])).toContain(place.host)
    expect(push?.headers['urgency']).toBe('high')
    expect(push?.headers['topic']).toMatch(/^[\w-]{32}$/)
    await pushesSince(place, 1)
    expect([ofBob.pushes(), ofOwner.pushes()]).toEqual([[], []])
  })

  it("includes the reader's language and the names of the other people in the conversation in a push", async () => {
    const { owner, ann, bob, device } = await createFixture()
    await ann.call('PATCH', '/settings', { default_language: 'de' })
    await bob.sendTo([ann.id, owner.id], 'Hi')
    expect(await waitForPushes(device, 1)).toMatchObject([
      { language: 'de', user_ids: [owner.id, bob.id], names: ['Olivia Owner', 'Bob'] },
    ])
  })

  it('shortens the content of a pushed message, hides spoilers, and shows formulas as source', async () => {
    const { ann, bob, device } = await createFixture()
    await bob.sendTo([ann.id], '```spoiler Ending\nThe butler\n```\n$$x^2$$ and')
    const [first] = await waitForPushes(device, 1)
    expect(first?.['content']).toBe('Ending x^2 and')
    await bob.sendTo([ann.id], '😀'.repeat(2_000))
    const [, second] = await waitForPushes(device, 2)
    expect([...String(second?.['content'])].length).toBeLessThanOrEqual(300)
    expect(String(second?.['content'])).toMatch(/…$/)
    await bob.sendTo([ann.id], '/me waves')
    expect((await waitForPushes(device, 3)).at(-1)).toMatchObject({ sender: 'Bob', content: 'waves' })
  })

  it("omits message content from pushes while the reader's push setting hides it", async () => {
    const { ann, bob, device } = await createFixture()
    await ann.call('PATCH', '/push_settings', { shows_content: false })
    await bob.sendTo([ann.id], 'secret')
    const [first] = await waitForPushes(device, 1)
    expect(first).toMatchObject({ sender: 'Bob' })
    expect(first).not.toHaveProperty('content')
    await ann.call('PATCH', '/push_settings', { shows_content: true })
    await bob.sendTo([ann.id], 'open')
    expect((await waitForPushes(device, 2))[1]).toMatchObject({ content: 'open' })
  })
})

interface PushCase {
  readonly what: string
  readonly settings?: Parameters
  readonly channel?: Parameters
  readonly topic?: number
  readonly text?: string
  readonly isPushed: boolean
}

const MENTION_OF_ALL = '@**all** hi'
const MENTION_OF_ANN = '@**Ann** hi'
const MUTED_CHANNEL = { is_muted: true }
/** Also turns off pushes for followed topics, because a mention makes the person follow the topic. */
const MENTION_PUSHES_OFF = { enable_offline_push_notifications: false, enable_followed_topic_push_notifications: false }

const PUSH_CASES: readonly PushCase[] = [
  { what: 'a plain message', isPushed: false },
  { what: 'a mention', text: MENTION_OF_ANN, isPushed: true },
  { what: 'a silent mention', text: '@_**Ann** hi', isPushed: false },
  { what: 'a wildcard mention', text: MENTION_OF_ALL, isPushed: true },
  {
    what: 'a wildcard mention with wildcard notifications disabled',
    text: MENTION_OF_ALL,
    settings: { wildcard_mentions_notify: false },
    isPushed: false,
  },
  {
    what: 'a wildcard mention enabled for the channel',
    text: MENTION_OF_ALL,
    settings: { wildcard_mentions_notify: false },
    channel: { wildcard_mentions_notify: true },
    isPushed: true,
  },
  {
    what: 'a wildcard mention disabled for the channel',
    text: MENTION_OF_ALL,
    channel: { wildcard_mentions_notify: false },
    isPushed: false,
  },
  {
    what: 'a wildcard mention enabled for followed topics',
    text: MENTION_OF_ALL,
    topic: 3,
    settings: { wildcard_mentions_notify: false, enable_followed_topic_push_notifications: false },
    isPushed: true,
  },
  {
    what: 'a mention with pushes disabled',
    text: MENTION_OF_ANN,
    settings: MENTION_PUSHES_OFF,
    isPushed: false,
  },
  {
    what: 'a wildcard mention with pushes disabled',
    text: MENTION_OF_ALL,
    settings: MENTION_PUSHES_OFF,
    isPushed: false,
  },
  { what: 'pushes enabled for all channels', settings: { enable_stream_push_notifications: true }, isPushed: true },
  { what: 'pushes enabled for the channel', channel: { push_notifications: true }, isPushed: true },
  {
    what: 'pushes disabled for the channel',
    settings: { enable_stream_push_notifications: true },
    channel: { push_notifications: false },
    isPushed: false,
  },
  { what: 'a followed topic', topic: 3, isPushed: true },
  {
    what: 'a followed topic with pushes disabled',
    topic: 3,
    settings: { enable_followed_topic_push_notifications: false },
    isPushed: false,
  },
  { what: 'a muted topic', topic: 1, channel: { push_notifications: true }, isPushed: false },
  { what: 'a mention in a muted topic', topic: 1, text: MENTION_OF_ANN, isPushed: true },
  { what: 'a wildcard mention in a muted topic', topic: 1, text: MENTION_OF_ALL, isPushed: false },
  { what: 'a muted channel', channel: { ...MUTED_CHANNEL, push_notifications: true }, isPushed: false },
  { what: 'a wildcard mention in a muted channel', channel: MUTED_CHANNEL, text: MENTION_OF_ALL, isPushed: false },
  {
    what: 'an unmuted topic in a muted channel',
    channel: { ...MUTED_CHANNEL, push_notifications: true },
    topic: 2,
    isPushed: true,
  },
  { what: 'a followed topic in a muted channel', channel: MUTED_CHANNEL, topic: 3, isPushed: true },
]

describe('push notifications for channel messages', () => {
  it.each(PUSH_CASES)(
    'decides whether to push a channel message, given $what',
    async ({ settings, channel, topic, text = 'Hi all', isPushed }) => {
      const place = await createFixture()
      const { ann, bob, device } = place
      const { stream_id } = await ann.call('GET', '/get_stream_id', { stream: 'news' })
      if (settings !== undefined) await ann.call('PATCH', '/settings', settings)
      const chosen = Object.entries(channel ?? {}).map(([property, value]) => ({ stream_id, property, value }))
      if (chosen.length > 0) await ann.call('POST', '/users/me/subscriptions/properties', { subscription_data: chosen })
      if (topic !== undefined) {
        await ann.call('POST', '/user_topics', { stream_id, topic: 'Lunch', visibility_policy: topic })
      }
      const id = await bob.send('news', 'Lunch', text)
      const told = await pushesSince(place, 0)
      expect(told.length).toBe(isPushed ? 1 : 0)
      if (!isPushed) return
      expect(device.payloads().find(({ message_id }) => message_id === id)).toMatchObject({
        sender: 'Bob',
        channel_id: stream_id,
        channel: 'news',
        topic: 'Lunch',
        topic_name: 'Lunch',
      })
    },
  )

  it('pushes group and topic mentions to everyone mentioned except the sender', async () => {
    const place = await createFixture()
    const { owner, ann, bob } = place
    await owner.call('POST', '/user_groups/create', { name: 'cooks', description: '', members: [ann.id] })
    await ann.send('news', 'lunch', '@**all** mine')
    await bob.send('news', 'lunch', '@**topic** one')
    await bob.send('news', 'lunch', '@*cooks* two')
    await bob.send('news', 'dinner', '@**topic** of others')
    const told = await pushesSince(place, 0)
    // Concurrent messages in a conversation can share a push; conversations are pushed in parallel.
    expect(told).toContain('@cooks two')
    expect(told.filter((text) => text !== '@topic one' && text !== '@cooks two')).toEqual([])
  })

  it('shows the display name of the empty topic in a push notification', async () => {
    const place = await createFixture()
    await place.bob.send('news', '', MENTION_OF_ANN)
    expect(await waitForPushes(place.device, 1)).toMatchObject([{ topic: '', topic_name: 'general chat' }])
  })
})

describe('suppressed push notifications', () => {
  it('does not push messages from a muted person', async () => {
    const place = await createFixture()
    const { owner, ann } = place
    await ann.call('POST', `/users/me/muted_users/${owner.id}`)
    await owner.sendTo([ann.id], 'muted')
    await owner.send('news', 'lunch', '@**Ann** muted too')
    expect(await pushesSince(place, 0)).toEqual([])
  })

  it('does not push messages in unsubscribed channels', async () => {
    const place = await createFixture()
    const { owner, ann, bob } = place
    await owner.subscribe(['secret'], { principals: [owner.id, bob.id], invite_only: true })
    await owner.subscribe(['open'], { principals: [owner.id, bob.id] })
    await bob.send('secret', 'a', '@**Ann** hidden')
    await bob.send('open', 'a', '@**Ann** elsewhere')
    await ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['news'] })
    await bob.send('news', 'a', '@**all** left')
    expect(await pushesSince(place, 0)).toEqual([])
  })

  it("pushes only test notifications and withdrawals during the reader's quiet hours", async () => {
    const place = await createFixture()
    const { ann, bob, device, deviceId } = place
    await bob.sendTo([ann.id], 'before')
    await waitForPushes(device, 1)
    await ann.call('PATCH', '/settings', { timezone: 'Asia/Kolkata' })
    const minute = Math.floor((Date.now() / 60_000 + 330) % 1_440)
    const around = { start: (minute + 1_440 - 60) % 1_440, end: (minute + 60) % 1_440 }
    await ann.call('PATCH', '/push_settings', { quiet_hours: around })
    expect((await ann.call('GET', '/push_subscriptions'))['quiet_hours']).toEqual(around)
    await bob.send('news', 'lunch', MENTION_OF_ANN)
    await waitUntilPushesEnd(place)
    await ann.call('POST', `/push_subscriptions/${deviceId}/test`)
    await ann.call('POST', '/mark_all_as_read')
    await waitForPushes(device, 3)
    expect(
      device
        .payloads()
        .map(({ type }) => type)
        .toSorted((a, b) => String(a).localeCompare(String(b))),
    ).toEqual(['message', 'test', 'withdrawal'])
    const outside = { start: around.end, end: around.start }
    await ann.call('PATCH', '/push_settings', { quiet_hours: outside })
    await bob.send('news', 'dinner', '@**Ann** loud')
    expect((await waitForPushes(device, 4))[3]).toMatchObject({ content: '@Ann loud' })
    await ann.call('PATCH', '/push_settings', { quiet_hours: null })
    expect((await ann.call('GET', '/push_subscriptions'))['quiet_hours']).toBeNull()
  })

  it.each([{ start: -1, end: 5 }, { start: 5 }, { start: 5, end: 1_440 }, 'night', [1, 2]])(
    'rejects the quiet hours %j',
    async (quiet_hours) => {
      const { ann } = await createFixture()
      expect((await ann.try('PATCH', '/push_settings', { quiet_hours })).status).toBe(400)
      expect((await ann.call('GET', '/push_subscriptions'))['quiet_hours']).toBeNull()
    },
  )

  it('pushes nothing while the reader has paused notifications in the web client', async () => {
    const place = await createFixture()
    const { ann, bob } = place
    const until = Math.floor(Date.now() / 1000) + 3_600
    await ann.call('PATCH', '/preferences', { preferences: { 'web.pausedUntil': String(until) } })
    await bob.sendTo([ann.id], 'held back')
    await waitUntilPushesEnd(place)
    await ann.call('PATCH', '/preferences', { preferences: { 'web.pausedUntil': 'nonsense' } })
    expect(await pushesSince(place, 0)).toEqual([])
  })

  it('delays or drops pushes to people who are online', async () => {
    const place = await createFixture()
    const { ann, bob } = place
    await ann.call('POST', '/users/me/presence', { status: 'active', ping_only: true })
    await ann.call('PATCH', '/settings', { enable_online_push_notifications: false })
    await bob.send('news', 'a', MENTION_OF_ANN)
    await expect.poll(async () => (await storedPushes(place)).length).toBe(1)
    const [waiting] = await storedPushes(place)
    expect(Number(waiting?.['due_at'])).toBeGreaterThan(Date.now() / 1000)
    await skipPushPauses(place)
    await waitUntilPushesEnd(place)
    expect(place.device.pushes()).toEqual([])
    await ann.call('PATCH', '/settings', { enable_online_push_notifications: true })
    const read = await bob.send('news', 'b', '@**Ann** read at once')
    await ann.call('POST', '/messages/flags', { messages: [read], op: 'add', flag: 'read' })
    expect(await pushesSince(place, 0)).toEqual([])
  })
})

it('runs no push consumer for people without devices', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const runs = (): number =>
    server()
      .parley.consumers.reports()
      .filter(({ name }) => name === 'notePushes' || name === 'noteWithdrawals')
      .reduce((sum, report) => sum + report.runs, 0)
  const before = runs()
  const queue = await ann.register()
  await owner.sendTo([ann.id], 'Hi')
  await ann.call('POST', '/mark_all_as_read')
  await queue.events()
  expect(runs()).toBe(before)
  const answer = await callApi(owner.url, owner.host, 'GET', '/push_subscriptions', {})
  expect(answer.body['code']).toBe('UNAUTHENTICATED_USER')
})
