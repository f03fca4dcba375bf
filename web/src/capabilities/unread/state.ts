import type { messages } from '@parley/server/contract'
import { computed } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { placeKey, type Conversation, type Place } from '../../kernel/route.ts'
import { store } from '../../platform/client.ts'
import { channelById, subscriptionTo } from '../channels/state.ts'
import { isMutedUser } from '../users/state.ts'

export interface UnreadConversation {
  readonly place: Conversation
  readonly count: number
  /** The newest message that was unread. */
  readonly lastId: number
  readonly mentions: number
  /** Hidden from counts and lists: its topic, its channel or the person is muted, or the channel is archived. */
  readonly isMuted: boolean
}

/** What one chose for a topic. */
export const VISIBILITY = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const

const policies = computed(
  () =>
    new Map(
      store()
        .read('user_topics')
        .map((topic) => [`${topic.stream_id}:${topic.topic_name.toLowerCase()}`, topic.visibility_policy]),
    ),
)

export function visibilityOf(channelId: number, topic: string): number {
  return policies.value.get(`${channelId}:${topic.toLowerCase()}`) ?? VISIBILITY.inherit
}

const followed = computed(() => {
  const topics = new Map<number, string[]>()
  for (const { stream_id, topic_name, visibility_policy } of store().read('user_topics')) {
    if (visibility_policy !== VISIBILITY.followed) continue
    topics.set(stream_id, [...(topics.get(stream_id) ?? []), topic_name])
  }
  return topics
})

/** The topics of a channel that one follows. */
export function followedTopicsOf(channelId: number): readonly string[] {
  return followed.value.get(channelId) ?? []
}

export function isMutedTopic(channelId: number, topic: string): boolean {
  const policy = visibilityOf(channelId, topic)
  if (policy === VISIBILITY.muted) return true
  if (policy !== VISIBILITY.inherit) return false
  return subscriptionTo(channelId)?.is_muted === true
}

export function isMutedMessage({ sender_id: senderId, stream_id: channelId, subject }: Message): boolean {
  return isMutedUser(senderId) || (channelId !== undefined && isMutedTopic(channelId, subject))
}

/** Every conversation with unread messages, the one with the newest first. */
export const unreadConversations = computed((): readonly UnreadConversation[] => {
  const unread = store().read('unread_conversations')
  const ownId = store().read('user_id')
  const topics = unread.channels.flatMap(({ stream_id: channelId, topics: all }) => {
    const channel = channelById(channelId)
    if (channel === undefined) return []
    return all.map((one) => {
      const place = { view: 'topic', channelId, topic: one.topic } as const
      return channel.is_archived ? hidden(place, one) : unreadIn(place, one, isMutedTopic(channelId, one.topic))
    })
  })
  const directs = unread.directs.map((one) => {
    const others = one.user_ids.filter((id) => id !== ownId)
    const userIds = others.length === 0 ? [ownId] : others
    const [first = ownId, ...more] = userIds
    const isMuted = more.length === 0 && isMutedUser(first)
    const place = { view: 'direct', userIds } as const
    return isMuted ? hidden(place, one) : unreadIn(place, one, false)
  })
  return [...topics, ...directs].toSorted((one, other) => other.lastId - one.lastId)
})

type Counted = Pick<messages.UnreadDirect, 'count' | 'last_id' | 'mentions'>

/** Mentions by a muted person, and those in an archived channel, do not count as such. */
function hidden(place: Conversation, counted: Counted): UnreadConversation {
  return unreadIn(place, { ...counted, mentions: [] }, true)
}

function unreadIn(
  place: Conversation,
  { count, last_id: lastId, mentions }: Counted,
  isMuted: boolean,
): UnreadConversation {
  return { place, count, lastId, mentions: mentions?.length ?? 0, isMuted }
}

const byKey = computed(() => new Map(unreadConversations.value.map((one) => [placeKey(one.place), one])))

export function unreadOf(place: Place): UnreadConversation | undefined {
  return byKey.value.get(placeKey(place))
}

/** Of what is not muted. */
export const unreadTotal = computed(() =>
  unreadConversations.value.reduce((sum, one) => sum + (one.isMuted ? 0 : one.count), 0),
)

export const unreadMentions = computed(() => unreadConversations.value.reduce((sum, { mentions }) => sum + mentions, 0))

/** Direct messages and mentions: what is for oneself, as the title's badge counts it. */
export const unreadForMe = computed(() =>
  unreadConversations.value.reduce(
    (sum, one) =>
      sum + (one.isMuted && one.mentions === 0 ? 0 : one.place.view === 'direct' ? one.count : one.mentions),
    0,
  ),
)

interface ChannelUnread {
  /** Of what is not muted. */
  readonly count: number
  /** Of what is. */
  readonly muted: number
  readonly mentions: number
}

type UnreadTopic = UnreadConversation & { readonly topic: string }

/** Direct messages that are unread. */
export const unreadDirects = computed(() =>
  unreadConversations.value.reduce(
    (sum, { place, count, isMuted }) => sum + (place.view === 'direct' && !isMuted ? count : 0),
    0,
  ),
)

const perChannel = computed(() => {
  const channels = new Map<number, ChannelUnread & { readonly topics: readonly UnreadTopic[] }>()
  for (const one of unreadConversations.value) {
    const { place, count, mentions, isMuted } = one
    if (place.view !== 'topic') continue
    const sum = channels.get(place.channelId) ?? { ...NOTHING, topics: [] }
    channels.set(place.channelId, {
      count: sum.count + (isMuted ? 0 : count),
      muted: sum.muted + (isMuted ? count : 0),
      mentions: sum.mentions + mentions,
      topics: [...sum.topics, { ...one, topic: place.topic }],
    })
  }
  return channels
})

const NOTHING: ChannelUnread = { count: 0, muted: 0, mentions: 0 }

export function unreadOfChannel(channelId: number): ChannelUnread {
  return perChannel.value.get(channelId) ?? NOTHING
}

/** The unread topics of a channel, the one with the newest message first. */
export function unreadTopicsOf(channelId: number): readonly UnreadTopic[] {
  return perChannel.value.get(channelId)?.topics ?? []
}

/** The next conversation to read after this one: mentions and direct messages first, then the newest. */
export function nextUnread(after?: Place): Conversation | undefined {
  const waiting = unreadConversations.value.filter(
    (one) => (!one.isMuted || one.mentions > 0) && (after === undefined || placeKey(one.place) !== placeKey(after)),
  )
  const first = waiting.find((one) => one.mentions > 0 || one.place.view === 'direct') ?? waiting[0]
  return first?.place
}
