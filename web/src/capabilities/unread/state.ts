import type { messages as declared } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { computed, signal, effect, untracked } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { placeKey, type Conversation, type Place } from '../../kernel/route.ts'
import { store, messages } from '../../platform/client.ts'
import { shownRoute } from '../../platform/router.ts'
import { channelById, subscriptionTo } from '../channels/state.ts'
import { isMutedUser } from '../users/state.ts'

export interface UnreadConversation {
  readonly place: Conversation
  readonly count: number
  readonly lastId: number
  readonly mentions: number
  /** Whether the topic, channel, or person is muted, or the channel is archived. If so, counts and lists exclude it. */
  readonly isMuted: boolean
}

export const VISIBILITY = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const

const topicPolicies = computed(
  () =>
    new Map(
      store()
        .read('user_topics')
        .map((topic) => [`${topic.stream_id}:${caseKey(topic.topic_name)}`, topic.visibility_policy]),
    ),
)

export function visibilityOf(channelId: number, topic: string): number {
  return topicPolicies.value.get(`${channelId}:${caseKey(topic)}`) ?? VISIBILITY.inherit
}

const followedTopics = computed(() => {
  const topics = new Map<number, string[]>()
  for (const { stream_id, topic_name, visibility_policy } of store().read('user_topics')) {
    if (visibility_policy !== VISIBILITY.followed) continue
    topics.set(stream_id, [...(topics.get(stream_id) ?? []), topic_name])
  }
  return topics
})

export function followedTopicsOf(channelId: number): readonly string[] {
  return followedTopics.value.get(channelId) ?? []
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

export const unreadConversations = computed((): readonly UnreadConversation[] => {
  const unread = store().read('unread_conversations')
  const ownId = store().read('user_id')
  const topics = unread.channels.flatMap(({ stream_id: channelId, topics: all }) => {
    const channel = channelById(channelId)
    if (channel === undefined) return []
    return all.map((one) => {
      const place = { view: 'topic', channelId, topic: one.topic } as const
      return channel.is_archived
        ? toMutedUnread(place, one)
        : toUnreadConversation(place, one, isMutedTopic(channelId, one.topic))
    })
  })
  const directs = unread.directs.map((one) => {
    const others = one.user_ids.filter((id) => id !== ownId)
    const userIds = others.length === 0 ? [ownId] : others
    const [first = ownId, ...more] = userIds
    const isMuted = more.length === 0 && isMutedUser(first)
    const place = { view: 'direct', userIds } as const
    return isMuted ? toMutedUnread(place, one) : toUnreadConversation(place, one, false)
  })
  return [...topics, ...directs].toSorted((one, other) => other.lastId - one.lastId)
})

type UnreadCounts = Pick<declared.UnreadDirect, 'count' | 'last_id' | 'mentions'>

/** Mentions by muted people and in archived channels do not count. */
function toMutedUnread(place: Conversation, counted: UnreadCounts): UnreadConversation {
  return toUnreadConversation(place, { ...counted, mentions: [] }, true)
}

function toUnreadConversation(
  place: Conversation,
  { count, last_id: lastId, mentions }: UnreadCounts,
  isMuted: boolean,
): UnreadConversation {
  return { place, count, lastId, mentions: mentions?.length ?? 0, isMuted }
}

const unreadByKey = computed(() => new Map(unreadConversations.value.map((one) => [placeKey(one.place), one])))

export function unreadOf(place: Place): UnreadConversation | undefined {
  return unreadByKey.value.get(placeKey(place))
}

/** Number of unread messages to show. In muted conversations, only mentions count. */
export function countedUnread({ count, mentions, isMuted }: Omit<UnreadConversation, 'place' | 'lastId'>): number {
  return isMuted ? mentions : count
}

export const unreadTotal = computed(() => unreadConversations.value.reduce((sum, one) => sum + countedUnread(one), 0))

export const unreadMentions = computed(() => unreadConversations.value.reduce((sum, { mentions }) => sum + mentions, 0))

interface ChannelUnread {
  readonly count: number
  /** Number of unread messages in muted topics, without mentions. */
  readonly mutedCount: number
  readonly mentions: number
}

type UnreadTopic = UnreadConversation & { readonly topic: string }

export const unreadDirectConversations = computed(() =>
  unreadConversations.value.reduce((sum, one) => sum + (one.place.view === 'direct' ? countedUnread(one) : 0), 0),
)

const unreadByChannel = computed(() => {
  const channels = new Map<number, ChannelUnread & { readonly topics: readonly UnreadTopic[] }>()
  for (const one of unreadConversations.value) {
    const { place, count, mentions } = one
    const counted = countedUnread(one)
    if (place.view !== 'topic') continue
    const sum = channels.get(place.channelId) ?? { ...NO_UNREAD, topics: [] }
    channels.set(place.channelId, {
      count: sum.count + counted,
      mutedCount: sum.mutedCount + count - counted,
      mentions: sum.mentions + mentions,
      topics: [...sum.topics, { ...one, topic: place.topic }],
    })
  }
  return channels
})

const NO_UNREAD: ChannelUnread = { count: 0, mutedCount: 0, mentions: 0 }

export function unreadOfChannel(channelId: number): ChannelUnread {
  return unreadByChannel.value.get(channelId) ?? NO_UNREAD
}

export function unreadTopicsOf(channelId: number): readonly UnreadTopic[] {
  return unreadByChannel.value.get(channelId)?.topics ?? []
}

/** Prefers DMs and conversations with mentions. Otherwise, returns the newest unread conversation. */
export function nextUnread(skipped?: ReadonlySet<string>): Conversation | undefined {
  const waiting = unreadConversations.value.filter(
    (one) => (!one.isMuted || one.mentions > 0) && skipped?.has(placeKey(one.place)) !== true,
  )
  const first = waiting.find((one) => one.mentions > 0 || one.place.view === 'direct') ?? waiting[0]
  return first?.place
}

/** Conversation that has, or last had, the focus in the inbox. */
export const chosenConversation = signal<UnreadConversation['place'] | undefined>(undefined)

export function chosenUnread(): UnreadConversation | undefined {
  return chosenConversation.value === undefined ? undefined : unreadOf(chosenConversation.value)
}

export function isInInbox(): boolean {
  return shownRoute().view === 'inbox' && chosenUnread() !== undefined
}

export function isChosen(place: UnreadConversation['place']): boolean {
  return chosenConversation.value !== undefined && placeKey(chosenConversation.value) === placeKey(place)
}

/** Muted users, channels, and topics, serialized for comparison. */
const serializedMutes = computed(() => {
  const users = store().read('muted_users')
  const channels = store()
    .read('subscriptions')
    .filter((channel) => channel.is_muted)
  const ids = new Set(channels.map(({ stream_id: id }) => id))
  const topics = store()
    .read('user_topics')
    .filter(({ stream_id: id, topic_name: topic }) => isMutedTopic(id, topic) !== ids.has(id))
  return JSON.stringify([
    users.map(({ id }) => id),
    [...ids],
    topics.map(({ stream_id: id, topic_name: topic }) => [id, topic]),
  ])
})

/** Excludes muted messages from the combined feed, as the server does, and updates it when muting changes. */
export function hideMutedFromFeed(): void {
  messages.leaveOut(isMutedMessage)
  let before: string | undefined
  effect(() => {
    const { value: now } = serializedMutes
    if (before !== undefined && before !== now) untracked(() => messages.onMutingChanged())
    before = now
  })
}
