import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effort } from '../../testing/effort.ts'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'

const server = useTestServer()

const CHANNELS = ['one', 'two']
const TOPICS = ['a', 'b', 'c']
const KINDS = [
  ...(['send', 'send', 'send', 'direct', 'read', 'read', 'unread', 'leave', 'join'] as const),
  ...(['move', 'move', 'delete'] as const),
] as const
const MODES = ['change_one', 'change_later', 'change_all'] as const

type Step = readonly [kind: (typeof KINDS)[number], who: number, where: number, pick: readonly number[]]

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(...KINDS),
  fc.nat(20),
  fc.nat(20),
  fc.array(fc.nat(60), { minLength: 1, maxLength: 6 }),
)

interface SentMessage {
  readonly id: number
  channel: string | undefined
  topic: string
  readonly readers: readonly TestUser[]
}

/** Simple model: one fact per user and message. */
class NaiveModel {
  readonly unread = new Map<TestUser, Set<number>>()
  readonly subscribed = new Map<TestUser, Set<string>>()
  sent: SentMessage[] = []

  constructor(users: readonly TestUser[]) {
    for (const user of users) {
      this.unread.set(user, new Set())
      this.subscribed.set(user, new Set(CHANNELS))
    }
  }

  arrive(message: SentMessage, sender: TestUser, readBySender: boolean): void {
    this.sent.push(message)
    for (const reader of message.readers) {
      if (reader !== sender || !readBySender) this.unread.get(reader)?.add(message.id)
    }
  }

  /** Rejoining does not make messages unread again. */
  leave(user: TestUser, channel: string): void {
    this.subscribed.get(user)?.delete(channel)
    for (const message of this.sent) if (message.channel === channel) this.unread.get(user)?.delete(message.id)
  }

  /**
   * A message stays unread for users who were in the new channel before it was sent; everyone else receives it as read.
   */
  move(message: SentMessage, channel: string, topic: string, joinedAfter: ReadonlyMap<string, number>): void {
    message.channel = channel
    message.topic = topic
    for (const [user, unread] of this.unread) {
      if (!this.canBeUnread(user, message, joinedAfter)) unread.delete(message.id)
    }
  }

  delete(message: SentMessage): void {
    this.sent = this.sent.filter((one) => one !== message)
    for (const unread of this.unread.values()) unread.delete(message.id)
  }

  taken(message: SentMessage, mode: (typeof MODES)[number]): SentMessage[] {
    const topic = this.sent.filter((one) => one.channel === message.channel && one.topic === message.topic)
    if (mode === 'change_all') return topic
    return mode === 'change_later' ? topic.filter((one) => one.id >= message.id) : [message]
  }

  canBeUnread(user: TestUser, message: SentMessage, joinedAfter: ReadonlyMap<string, number>): boolean {
    if (message.channel === undefined) return message.readers.includes(user)
    const since = joinedAfter.get(`${user.id} ${message.channel}`) ?? 0
    return (this.subscribed.get(user)?.has(message.channel) ?? false) && message.id > since
  }
}

async function runHistory(steps: readonly Step[]): Promise<void> {
  const organization = await server().organization()
  const users = [organization.owner, await organization.user('Ann'), await organization.user('Ben')]
  await organization.owner.subscribe(CHANNELS, { principals: users.map((user) => user.id) })
  const model = new NaiveModel(users)
  const joinedAfter = new Map<string, number>()
  for (const [kind, who, where, pick] of steps) {
    const user = users[who % users.length] ?? organization.owner
    const channel = CHANNELS[where % CHANNELS.length] ?? ''
    const picked = [...new Set(pick.map((index) => model.sent[index % Math.max(model.sent.length, 1)]))].filter(
      (message) => message !== undefined,
    )
    switch (kind) {
      case 'send': {
        const topic = TOPICS[(pick[0] ?? 0) % TOPICS.length] ?? ''
        const readBySender = (pick[0] ?? 0) % 2 === 0
        const id = await user.send(channel, topic, 'hello', { read_by_sender: readBySender })
        const readers = users.filter((one) => model.subscribed.get(one)?.has(channel))
        model.arrive({ id, channel, topic, readers }, user, readBySender)
        break
      }
      case 'direct': {
        const others = users.filter((one, index) => one === user || (where >> index) % 2 === 0)
        const id = await user.sendTo(
          others.map((one) => one.id),
          'psst',
          { read_by_sender: true },
        )
        model.arrive({ id, channel: undefined, topic: '', readers: [...new Set([...others, user])] }, user, true)
        break
      }
      case 'read':
      case 'unread': {
        // Everyone can read public channels, so only other people's direct messages are unreadable.
        const readable = picked.filter((message) => message.channel !== undefined || message.readers.includes(user))
        if (readable.length === 0) break
        await user.call('POST', '/messages/flags', {
          messages: readable.map((message) => message.id),
          op: kind === 'read' ? 'add' : 'remove',
          flag: 'read',
        })
        for (const message of readable) {
          if (kind === 'read') model.unread.get(user)?.delete(message.id)
          else if (model.canBeUnread(user, message, joinedAfter)) model.unread.get(user)?.add(message.id)
        }
        break
      }
      case 'move': {
        const [message] = picked
        if (message?.channel === undefined) break
        const mode = MODES[where % MODES.length] ?? 'change_one'
        const topic = TOPICS[(pick[1] ?? who) % TOPICS.length] ?? ''
        const { stream_id } = await user.call('GET', '/get_stream_id', { stream: channel })
        await organization.owner.call('PATCH', `/messages/${message.id}`, {
          propagate_mode: mode,
          topic,
          stream_id,
          send_notification_to_new_thread: false,
        })
        for (const one of model.taken(message, mode)) model.move(one, channel, topic, joinedAfter)
        break
      }
      case 'delete': {
        const [message] = picked.filter((one) => one.channel !== undefined)
        if (message === undefined) break
        await organization.owner.call('DELETE', `/messages/${message.id}`)
        model.delete(message)
        break
      }
      case 'leave':
        await user.call('DELETE', '/users/me/subscriptions', { subscriptions: [channel] })
        model.leave(user, channel)
        break
      case 'join':
        if (model.subscribed.get(user)?.has(channel)) break
        await user.subscribe([channel])
        model.subscribed.get(user)?.add(channel)
        joinedAfter.set(`${user.id} ${channel}`, model.sent.at(-1)?.id ?? 0)
    }
  }
  for (const user of users) await compareWithModel(user, model)
}

async function compareWithModel(user: TestUser, model: NaiveModel): Promise<void> {
  const expected = [...(model.unread.get(user) ?? [])].toSorted((a, b) => a - b)
  const { unread_msgs } = await user.call('POST', '/register', { event_types: ['message', 'update_message_flags'] })
  const { pms, huddles, streams, count } = unread_msgs
  const listed = [...pms, ...huddles, ...streams].flatMap((entry) => entry.unread_message_ids)
  expect(listed.toSorted((a, b) => a - b)).toEqual(expected)
  expect(count).toBe(expected.length)

  const { messages } = await user.call('GET', '/messages', { anchor: 'oldest', num_before: 0, num_after: 1000 })
  const unread = messages.filter((message) => !message.flags.includes('read'))
  expect(unread.map((message) => message.id)).toEqual(expected)

  const { anchor } = await user.call('GET', '/messages', { anchor: 'first_unread', num_before: 0, num_after: 0 })
  if (expected[0] !== undefined) expect(anchor).toBe(expected[0])
}

it(
  'counts the same unread messages as a model with one record per user and message',
  { timeout: 240_000 },
  async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), runHistory), {
      numRuns: effort(12),
      plugins: [fc.interruptAfterTimeLimit(220_000)],
    })
  },
)
