import type { OrganizationState } from '../../../kernel/projection.ts'
import type { ConsumedEvent } from '../../../platform/consumers/consumer.ts'
import { subscribersOf, subscriptionsProjection, type Subscription } from '../../channels/queries/index.ts'
import { messagePayload, type MessagePayload } from '../../messages/rules/payload.ts'
import { VISIBILITY, type VisibilityPolicy } from '../../user-topics/contract.ts'
import { isTopicMuted } from '../../user-topics/rules.ts'
import { userById, userSetting, type UserRow } from '../../users/queries/index.ts'
import type { QuietHours } from '../contract.ts'
import { webPushProjection } from '../queries.ts'

/** Selects users by the event and data in memory, so that topic policies are queried only for these users. */
export function pushCandidates(organization: OrganizationState, event: ConsumedEvent): number[] {
  const { devices } = organization.of(webPushProjection)
  if (devices.size === 0) return NO_USERS
  const { audience } = event
  const { read_by: readers = NO_USERS } = messagePayload(event)
  const reached =
    'channel' in audience
      ? subscribersAmong(organization, audience.channel ?? 0, devices)
      : (audience.users ?? NO_USERS).filter((userId) => devices.has(userId))
  return reached.filter((userId) => !readers.includes(userId))
}

const NO_USERS: number[] = []

function subscribersAmong(
  organization: OrganizationState,
  channelId: number,
  devices: ReadonlyMap<number, number>,
): number[] {
  const subscribers = subscribersOf(organization, channelId)
  return devices.size < subscribers.size
    ? [...devices.keys()].filter((userId) => subscribers.has(userId))
    : [...subscribers].filter((userId) => devices.has(userId))
}

export interface SentMessage {
  readonly senderId: number
  readonly channelId: number | null
  readonly mentionsChannel: boolean
  readonly payload: MessagePayload
}

/** Mentions by name are pushed even in muted topics. */
export function wantsPush(
  organization: OrganizationState,
  userId: number,
  { senderId, channelId, mentionsChannel, payload }: SentMessage,
  policy: VisibilityPolicy,
): boolean {
  const user = userById(organization, userId)
  if (user?.isActive !== true || user.botType !== null || userId === senderId) return false
  const forMe = userSetting(user, 'enable_offline_push_notifications')
  if (channelId === null) return forMe
  if (forMe && payload.mentioned?.includes(userId) === true) return true
  const subscription = organization.of(subscriptionsProjection).byUser.get(userId)?.get(channelId)
  if (subscription === undefined || isTopicMuted(subscription, policy)) return false
  const isFollowed = policy === VISIBILITY.followed
  const forEverybody = mentionsChannel || payload.topic_mentioned?.includes(userId) === true
  if (forMe && forEverybody && wantsWildcardMentions(user, subscription, isFollowed)) return true
  if (isFollowed && userSetting(user, 'enable_followed_topic_push_notifications')) return true
  return subscription.pushNotifications ?? userSetting(user, 'enable_stream_push_notifications')
}

function wantsWildcardMentions(user: UserRow, subscription: Subscription, isFollowed: boolean): boolean {
  if (subscription.wildcardMentionsNotify ?? userSetting(user, 'wildcard_mentions_notify')) return true
  return isFollowed && userSetting(user, 'enable_followed_topic_wildcard_mentions_notify')
}

const MINUTES_PER_HOUR = 60

/** `now` is in UNIX seconds. Unknown time zones count as UTC. */
export function isQuietTime(quiet: QuietHours | null, timezone: string, now: number): boolean {
  if (quiet === null) return false
  const { start, end } = quiet
  const minute = minuteOfDay(timezone, now)
  return start <= end ? start <= minute && minute < end : minute >= start || minute < end
}

function minuteOfDay(timezone: string, now: number): number {
  const parts = clockFormat(timezone).formatToParts(now * 1_000)
  const numberOf = (type: 'hour' | 'minute'): number => Number(parts.find((part) => part.type === type)?.value ?? 0)
  return numberOf('hour') * MINUTES_PER_HOUR + numberOf('minute')
}

function clockFormat(timezone: string): Intl.DateTimeFormat {
  const form = { hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const
  try {
    return new Intl.DateTimeFormat('en', { ...form, timeZone: timezone === '' ? 'UTC' : timezone })
  } catch {
    return new Intl.DateTimeFormat('en', { ...form, timeZone: 'UTC' })
  }
}
