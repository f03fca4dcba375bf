import type { OrganizationState } from '../../../kernel/projection.ts'
import { channelById, isSubscribed } from '../../channels/queries/index.ts'
import { readablePart } from '../../channels/rules/index.ts'
import { mutersOf } from '../../muted-users/queries.ts'
import { automaticPolicy, followsWhereMentioned } from '../../user-topics/rules.ts'
import { userById } from '../../users/queries/index.ts'

/** Returns subscribers who follow topics that mention them, unless they muted the sender. */
export function followersAmong(
  organization: OrganizationState,
  { channelId, senderId }: { readonly channelId: number | null; readonly senderId: number },
  mentioned: readonly number[],
): number[] {
  if (channelId === null || mentioned.length === 0) return []
  const muters = mutersOf(organization, senderId)
  return mentioned.filter(
    (userId) =>
      followsWhereMentioned(organization, userId) &&
      isSubscribed(organization, userId, channelId) &&
      !muters.has(userId),
  )
}

/** False in protected history, where any effect would reveal whether the topic had hidden messages. */
export function startingTopicRaisesPolicy(
  organization: OrganizationState,
  { channelId, senderId }: { readonly channelId: number | null; readonly senderId: number },
): boolean {
  if (channelId === null || automaticPolicy(organization, senderId, channelId, 'start') === undefined) return false
  const [sender, channel] = [userById(organization, senderId), channelById(organization, channelId)]
  if (sender === undefined || channel === undefined) return false
  return readablePart(organization, { userId: senderId, role: sender.role }, channel) === 'all'
}
