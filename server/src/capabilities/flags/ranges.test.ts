import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { ALL_CAPABILITIES, type Body, type TestQueue, type TestUser } from '../../testing/user.ts'
import { flagsAdded } from './contract.ts'

const server = useTestServer()
const WITH_UNREAD_RANGES = { client_capabilities: { ...ALL_CAPABILITIES, unread_ranges: true } }

interface Scene {
  readonly owner: TestUser
  readonly ann: TestUser
  readonly news: number
}

async function createScene(): Promise<Scene> {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
  return { owner, ann, news: stream_id }
}

const eventsOfType = async (queue: TestQueue, type: string): Promise<Body[]> =>
  (await queue.events()).filter((event) => event['type'] === type)

describe('unread ranges', () => {
  it("returns each conversation's unread count, mentions, and unread ranges when a queue is registered", async () => {
    const { owner, ann, news } = await createScene()
    const first = await owner.send('news', 'talk', 'One')
    await owner.send('news', 'other', 'Two')
    const mention = await owner.send('news', 'talk', '@**Ann**')
    const direct = await owner.sendTo([ann.id], 'Only you')
    const { state } = await ann.register(WITH_UNREAD_RANGES)
    expect(state['unread_msgs']).toBeUndefined()
    const { channels, directs } = state['unread_conversations']
    expect(directs).toEqual([
      { user_ids: [owner.id, ann.id], count: 1, last_id: direct, mentions: undefined, ranges: [[direct, direct]] },
    ])
    expect(channels).toMatchObject([
      {
        stream_id: news,
        topics: [
          { topic: 'talk', count: 2, last_id: mention, mentions: [mention] },
          { topic: 'other', count: 1 },
        ],
      },
    ])
    expect(channels[0]?.ranges.some(([from, to]) => from <= first && mention <= to)).toBe(true)
  })

  it('includes conversations in flag events only for clients that support unread ranges', async () => {
    const { owner, ann, news } = await createScene()
    const channelMessage = await owner.send('news', 'talk', 'One')
    const direct = await owner.sendTo([ann.id], 'Two')
    const [ranged, plain, others] = [
      await ann.register(WITH_UNREAD_RANGES),
      await ann.register(),
      await owner.register(WITH_UNREAD_RANGES),
    ]
    const change = { messages: [channelMessage, direct], flag: 'read' }
    await ann.call('POST', '/messages/flags', { ...change, op: 'add' })
    await ann.call('POST', '/messages/flags', { ...change, op: 'remove' })
    const conversations = [
      { stream_id: news, topic: 'talk', message_ids: [channelMessage] },
      { user_ids: [owner.id, ann.id], message_ids: [direct] },
    ]
    const told = await eventsOfType(ranged, 'update_message_flags')
    expect(told).toMatchObject([
      { op: 'add', conversations },
      { op: 'remove', conversations },
    ])
    for (const event of await eventsOfType(plain, 'update_message_flags'))
      expect(event['conversations']).toBeUndefined()
    expect(await others.events()).toEqual([])
  })

  it('counts a message once when its read event is applied twice', async () => {
    const { owner, ann } = await createScene()
    const first = await owner.send('news', 'talk', 'One')
    await owner.send('news', 'talk', 'Two')
    const queue = await ann.register(WITH_UNREAD_RANGES)
    await ann.call('POST', '/messages/flags', { messages: [first], op: 'add', flag: 'read' })
    const [event] = await eventsOfType(queue, 'update_message_flags')
    const { id: _, type: __, op: ___, ...payload } = event ?? {}
    // The web client applies the event before the server sends it.
    for (let count = 0; count < 2; count += 1) {
      flagsAdded.apply(queue.state, flagsAdded.payload.parse(payload), { includeSubscribers: false })
    }
    expect(queue.state['unread_conversations']).toMatchObject({ channels: [{ topics: [{ topic: 'talk', count: 1 }] }] })
  })

  it("sends a changed message's conversation only to clients that support unread ranges", async () => {
    const { owner, ann, news } = await createScene()
    const [moved, direct] = [await owner.send('news', 'talk', 'One'), await owner.sendTo([ann.id], 'Two')]
    const [ranged, plain] = [await ann.register(WITH_UNREAD_RANGES), await ann.register()]
    await owner.call('PATCH', `/messages/${moved}`, { topic: 'elsewhere', send_notification_to_new_thread: false })
    await owner.call('PATCH', `/messages/${direct}`, { content: 'Three' })
    await owner.call('DELETE', `/messages/${direct}`)
    const events = await ranged.events()
    expect(events.filter(({ type }) => type === 'update_message')).toMatchObject([
      { conversation: { stream_id: news, topic: 'elsewhere' } },
      { conversation: { user_ids: [owner.id, ann.id] } },
    ])
    expect(events.filter(({ type }) => type === 'delete_message')).toMatchObject([{ user_ids: [owner.id, ann.id] }])
    for (const event of await plain.events()) {
      expect(event['conversation']).toBeUndefined()
      expect(event['user_ids']).toBeUndefined()
    }
  })

  it('omits topics that the reader cannot see from unread ranges', async () => {
    const { owner, ann } = await createScene()
    await owner.subscribe(['secret'], { invite_only: true })
    await owner.send('secret', 'plans', '@**Ann** is not here')
    await owner.send('news', 'talk', 'Open')
    const { state } = await ann.register(WITH_UNREAD_RANGES)
    expect(JSON.stringify(state['unread_conversations'])).not.toContain('plans')
  })
})

describe('flag changes by narrow', () => {
  it('lists, on request, the messages flagged through a narrow, so that clients can undo the change', async () => {
    const { owner, ann } = await createScene()
    const sent = [await owner.send('news', 'talk', 'One'), await owner.send('news', 'talk', 'Two')]
    await ann.call('POST', '/messages/flags', { messages: [sent[0]], op: 'add', flag: 'read' })
    const given = { anchor: 'newest', num_before: 10, num_after: 0, narrow: [['channel', 'news']], flag: 'read' }
    const answer = await ann.call('POST', '/messages/flags/narrow', { ...given, op: 'add', list_updated: true })
    expect(answer).toMatchObject({ updated_count: 1, updated_messages: [sent[1]] })
    const plain = await ann.call('POST', '/messages/flags/narrow', { ...given, op: 'remove' })
    expect([plain['updated_count'], plain['updated_messages']]).toEqual([2, undefined])
  })
})
