import type { OrganizationState } from '../../kernel/projection.ts'
import { isOpen, subscriptionsProjection, type Subscription } from '../channels/queries/index.ts'
import { mutersOf } from '../muted-users/queries.ts'
import { VISIBILITY, type VisibilityPolicy } from '../user-topics/contract/user-topics.ts'
import { isTopicMuted } from '../user-topics/rules.ts'
import { userById, userSetting, type UserRow } from '../users/queries/index.ts'

/** Why a person is told of a message by e-mail: the first that is so. */
export type Reason = 'direct' | 'mention' | 'wildcard' | 'followed_topic' | 'channel'

/** What a message is to the person. */
export interface PersonalMessage {
  readonly senderId: number
  /** Null for direct messages. */
  readonly channelId: number | null
  /** By name, or as one of a group. */
  readonly isMentioned: boolean
  /** With all in the channel, or all who took part in the topic. */
  readonly isMentionedWithOthers: boolean
  /** What the person has chosen for the topic. */
  readonly policy: VisibilityPolicy
}

/** Whether the account may be told of messages by e-mail at all. */
export function isPerson(user: UserRow | undefined): user is UserRow {
  return user?.isActive === true && user.botType === null
}

/** Why a person wants to be told of a message by e-mail; undefined where the person does not. */
export function reasonToTell(
  organization: OrganizationState,
  user: UserRow,
  message: PersonalMessage,
): Reason | undefined {
  const { senderId, channelId, isMentioned, isMentionedWithOthers, policy } = message
  if (senderId === user.id || mutersOf(organization, senderId).has(user.id)) return undefined
  const wantsPersonal = userSetting(user, 'enable_offline_email_notifications')
  if (channelId === null) return wantsPersonal ? 'direct' : undefined
  if (isMentioned && wantsPersonal) return 'mention'
  const subscription = openSubscription(organization, user.id, channelId)
  if (subscription === undefined) return undefined
  const isFollowed = policy === VISIBILITY.followed
  if (isTopicMuted(subscription, policy)) return undefined
  if (isMentionedWithOthers && wantsPersonal && wantsWildcards(user, subscription, isFollowed)) return 'wildcard'
  if (isFollowed && userSetting(user, 'enable_followed_topic_email_notifications')) return 'followed_topic'
  return wantsAll(user, subscription) ? 'channel' : undefined
}

function wantsWildcards(user: UserRow, { wildcardMentionsNotify }: Subscription, isFollowed: boolean): boolean {
  if (isFollowed && userSetting(user, 'enable_followed_topic_wildcard_mentions_notify')) return true
  return wildcardMentionsNotify ?? userSetting(user, 'wildcard_mentions_notify')
}

/** Whether the person wants e-mails of everything in a channel. */
export function wantsAll(user: UserRow, { emailNotifications }: Subscription): boolean {
  return emailNotifications ?? userSetting(user, 'enable_stream_email_notifications')
}

/** A person's subscription to a channel, as long as it lasts. */
export function openSubscription(
  organization: OrganizationState,
  userId: number,
  channelId: number,
): Subscription | undefined {
  const subscription = organization.of(subscriptionsProjection).byUser.get(userId)?.get(channelId)
  return subscription !== undefined && isOpen(subscription) ? subscription : undefined
}

/** The channels of which a person wants e-mails of everything. */
export function channelsTold(organization: OrganizationState, user: UserRow): number[] {
  const mine = organization.of(subscriptionsProjection).byUser.get(user.id)?.values() ?? []
  return [...mine].filter((one) => isOpen(one) && wantsAll(user, one)).map(({ channelId }) => channelId)
}

/** A message that was just sent, and the people whom it may be for. */
export interface SentMessage {
  readonly senderId: number
  /** The members of its conversation, or those whom it mentions with or without all others. */
  readonly addressed: Iterable<number>
  readonly followers: readonly number[]
  /** The people who want e-mails of everything in its channel. */
  readonly toldOfAll: readonly number[]
}

/**
 * The people who may want to be told of a message if they miss it. Their choices are asked only roughly: when the time
 * comes, they are asked exactly, and may be others.
 */
export function mayBeTold(
  organization: OrganizationState,
  { senderId, addressed, followers, toldOfAll }: SentMessage,
): Set<number> {
  const muters = mutersOf(organization, senderId)
  const found = new Set<number>()
  const add = (userIds: Iterable<number>, wants: (user: UserRow) => boolean): void => {
    for (const userId of userIds) {
      if (userId === senderId || muters.has(userId) || found.has(userId)) continue
      const user = userById(organization, userId)
      if (isPerson(user) && wants(user)) found.add(userId)
    }
  }
  add(addressed, (user) => userSetting(user, 'enable_offline_email_notifications'))
  add(followers, (user) => userSetting(user, 'enable_followed_topic_email_notifications'))
  add(toldOfAll, () => true)
  return found
}
