import fc from 'fast-check'
import { itemAt } from '../../../testing/look-up.ts'
import type { TestOrganization } from '../../../testing/server.ts'
import type { TestUser } from '../../../testing/user.ts'

export const CHANNELS = ['one', 'two', 'private', 'shared']
export const TOPICS = ['plan', 'Plan', 'deploy friday', '✔ done', '']
const WORDS = [
  'deploy',
  'friday',
  'cake',
  'plan',
  'https://example.com/cake',
  '&',
  '<b>',
  'Καλημέρα',
  '@**all**',
  '@**Ann**',
]

export interface Message {
  readonly id: number
  readonly sender: number
  /** Undefined for direct messages. */
  readonly channel: string | undefined
  /** Topic name, spelled as in the topic's first message. */
  readonly topic: string
  readonly members: readonly number[]
  readonly content: string
  readonly received: boolean
  readonly readable: boolean
  readonly reacted: boolean
  readonly flags: readonly string[]
}

export interface History {
  readonly organization: TestOrganization
  readonly users: readonly TestUser[]
  readonly reader: TestUser
  readonly messages: readonly Message[]
  readonly policies: ReadonlyMap<string, number>
  readonly mutedChannels: ReadonlySet<string>
  readonly mutedUsers: ReadonlySet<number>
}

export type Step = readonly [kind: (typeof KINDS)[number], who: number, where: number, pick: readonly number[]]
const KINDS = [
  'send',
  'send',
  'send',
  'send',
  'direct',
  'read',
  'star',
  'react',
  'policy',
  'mute',
  'join',
  'leave',
] as const

export const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(...KINDS),
  fc.nat(20),
  fc.nat(20),
  fc.array(fc.nat(60), { minLength: 2, maxLength: 5 }),
)

export async function playSteps(organization: TestOrganization, steps: readonly Step[]): Promise<History> {
  const { owner } = organization
  const users = [owner, await organization.user('Ann'), await organization.user('Ben'), await organization.user('Cy')]
  const reader = itemAt(users, 1)
  const principals = users.map((user) => user.id)
  await owner.subscribe(['one', 'two'], { principals })
  await owner.subscribe(['private'], { principals, invite_only: true, history_public_to_subscribers: false })
  await owner.subscribe(['shared'], { principals, invite_only: true, history_public_to_subscribers: true })
  await reader.call('POST', '/users/me/alert_words', { alert_words: ['friday'] })
  const joined = new Set(CHANNELS)
  const sent: (Omit<Message, 'flags' | 'readable' | 'reacted'> & { reacted: boolean })[] = []
  const names = new Map<string, string>()
  const mutedUsers = new Set<number>()
  const { streams } = await owner.call('GET', '/streams', { include_public: true })
  const idOf = new Map(streams.map((stream) => [stream['name'], stream['stream_id']]))
  const mayRead = (message: { channel: string | undefined; received: boolean }): boolean =>
    message.channel === undefined || message.channel === 'one' || message.channel === 'two'
      ? message.received || message.channel !== undefined
      : joined.has(message.channel) && (message.channel === 'shared' || message.received)

  for (const [kind, who, where, pick] of steps) {
    const [first = 0, second = 0] = pick
    const channel = itemAt(CHANNELS, where)
    const topic = itemAt(TOPICS, second)
    const message = sent[first % Math.max(sent.length, 1)]
    switch (kind) {
      case 'send': {
        const sender = itemAt(users, who)
        if (sender === reader && !joined.has(channel)) break
        const content = pick.map((word) => itemAt(WORDS, word)).join(' ')
        const id = await sender.send(channel, topic, content, { read_by_sender: first % 2 === 0 })
        const key = `${channel}/${topic.toLowerCase()}`
        names.set(key, names.get(key) ?? topic)
        sent.push({
          id,
          sender: sender.id,
          channel,
          topic: names.get(key) ?? '',
          members: [],
          content,
          received: joined.has(channel),
          reacted: false,
        })
        break
      }
      case 'direct': {
        const sender = itemAt(users, who)
        const members = users.filter((user, index) => user === sender || (where >> index) % 2 === 0).map(({ id }) => id)
        const content = pick.map((word) => itemAt(WORDS, word)).join(' ')
        const id = await sender.sendTo(members, content, { read_by_sender: true })
        sent.push({
          id,
          sender: sender.id,
          channel: undefined,
          topic: '',
          members,
          content,
          received: members.includes(reader.id),
          reacted: false,
        })
        break
      }
      case 'read':
      case 'star': {
        if (message === undefined || !mayRead(message)) break
        const flag = kind === 'read' ? 'read' : 'starred'
        await reader.call('POST', '/messages/flags', { messages: [message.id], op: 'add', flag })
        break
      }
      case 'react':
        if (message === undefined || (message.channel === undefined && !message.members.includes(owner.id))) break
        await owner.try('POST', `/messages/${message.id}/reactions`, { emoji_name: 'tada' })
        message.reacted = true
        break
      case 'policy': {
        if (!joined.has(channel)) break
        const policy = first % 4
        await reader.call('POST', '/user_topics', { stream_id: idOf.get(channel), topic, visibility_policy: policy })
        break
      }
      case 'mute':
        if (first % 2 === 0) {
          const user = itemAt([itemAt(users, 0), itemAt(users, 2), itemAt(users, 3)], who)
          await reader.try('POST', `/users/me/muted_users/${user.id}`)
          mutedUsers.add(user.id)
        } else if (joined.has(channel)) {
          const data = [{ stream_id: idOf.get(channel), property: 'is_muted', value: true }]
          await reader.call('POST', '/users/me/subscriptions/properties', { subscription_data: data })
        }
        break
      case 'leave':
        if (!joined.has(channel)) break
        await reader.call('DELETE', '/users/me/subscriptions', { subscriptions: [channel] })
        joined.delete(channel)
        break
      case 'join':
        await owner.subscribe([channel], { principals: [reader.id] })
        joined.add(channel)
    }
  }
  // Reads the policies back, because sending a message can make its sender follow the topic.
  const { state } = await reader.register({ fetch_event_types: ['user_topic', 'subscription'], event_types: [] })
  const nameOf = new Map([...idOf].map(([name, id]) => [id, name]))
  const policies = new Map(
    state['user_topics'].map((one) => [
      `${nameOf.get(one['stream_id'])}/${one['topic_name'].toLowerCase()}`,
      one['visibility_policy'],
    ]),
  )
  const subscriptions = [state['subscriptions'], state['unsubscribed']].flat()
  const mutedChannels = new Set(subscriptions.filter((one) => one['is_muted']).map((one) => one['name']))
  // The tests compare these flags with the narrow's own lookup.
  const shown = await reader.call('GET', '/messages', { message_ids: sent.map(({ id }) => id) })
  const flagsOf = new Map(shown['messages'].map(({ id, flags }) => [id, flags]))
  const messages = sent.map((message) => ({
    ...message,
    readable: mayRead(message),
    flags: flagsOf.get(message.id) ?? [],
  }))
  return { organization, users, reader, messages, policies, mutedChannels, mutedUsers }
}
