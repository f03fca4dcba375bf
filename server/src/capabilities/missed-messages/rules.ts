import type { OrganizationState } from '../../kernel/projection.ts'
import { isCurrentSubscription, subscriptionsProjection, type Subscription } from '../channels/queries/index.ts'
import { usersMuting } from '../muted-users/queries.ts'
import { VISIBILITY, type VisibilityPolicy } from '../user-topics/contract.ts'
import { isTopicMuted } from '../user-topics/rules.ts'
import { userById, userSetting, type UserRow } from '../users/queries/index.ts'

export type NotificationReason = 'direct' | 'mention' | 'wildcard' | 'followed_topic' | 'channel'

export interface RecipientMessage {
  readonly senderId: number
  readonly channelId: number | null
  readonly isMentioned: boolean
  /** Whether the message mentions everyone in the channel or all participants of the topic. */
  readonly isMentionedWithOthers: boolean
  readonly policy: VisibilityPolicy
}

export function isPerson(user: UserRow | undefined): user is UserRow {
  return user?.isActive === true && user.botType === null
}

export function reasonToNotify(
  organization: OrganizationState,
  user: UserRow,
  message: RecipientMessage,
): NotificationReason | undefined {
  const { senderId, channelId, isMentioned, isMentionedWithOthers, policy } = message
  if (senderId === user.id || usersMuting(organization, senderId).has(user.id)) return undefined
  const wantsPersonal = userSetting(user, 'enable_offline_email_notifications')
  if (channelId === null) return wantsPersonal ? 'direct' : undefined
  if (isMentioned && wantsPersonal) return 'mention'
  const subscription = activeSubscription(organization, user.id, channelId)
  if (subscription === undefined) return undefined
  const isFollowed = policy === VISIBILITY.followed
  if (isTopicMuted(subscription, policy)) return undefined
  if (isMentionedWithOthers && wantsPersonal && wantsWildcardNotifications(user, subscription, isFollowed))
    return 'wildcard'
  if (isFollowed && userSetting(user, 'enable_followed_topic_email_notifications')) return 'followed_topic'
  return wantsAllMessagesByEmail(user, subscription) ? 'channel' : undefined
}

function wantsWildcardNotifications(
  user: UserRow,
  { wildcardMentionsNotify }: Subscription,
  isFollowed: boolean,
): boolean {
  if (isFollowed && userSetting(user, 'enable_followed_topic_wildcard_mentions_notify')) return true
  return wildcardMentionsNotify ?? userSetting(user, 'wildcard_mentions_notify')
}

export function wantsAllMessagesByEmail(user: UserRow, { emailNotifications }: Subscription): boolean {
  return emailNotifications ?? userSetting(user, 'enable_stream_email_notifications')
}

export function activeSubscription(
  organization: OrganizationState,
  userId: number,
  channelId: number,
): Subscription | undefined {
  const subscription = organization.of(subscriptionsProjection).byUser.get(userId)?.get(channelId)
  return subscription !== undefined && isCurrentSubscription(subscription) ? subscription : undefined
}

export function channelsWithEmail(organization: OrganizationState, user: UserRow): number[] {
  const mine = organization.of(subscriptionsProjection).byUser.get(user.id)?.values() ?? []
  return [...mine]
    .filter((one) => isCurrentSubscription(one) && wantsAllMessagesByEmail(user, one))
    .map(({ channelId }) => channelId)
}

export interface SentMessage {
  readonly senderId: number
  /** Members of the conversation, or people mentioned by name, group, or wildcard. */
  readonly addressed: Iterable<number>
  readonly followers: readonly number[]
  readonly wantingAll: readonly number[]
}

/** Makes a rough check; settings are checked again when the record is due. */
export function possibleRecipients(
  organization: OrganizationState,
  { senderId, addressed, followers, wantingAll }: SentMessage,
): Set<number> {
  const muters = usersMuting(organization, senderId)
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
  add(wantingAll, () => true)
  return found
}
