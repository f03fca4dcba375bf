import type { OrganizationState } from '../../../kernel/projection.ts'
import { isSubscribed } from '../../channels/queries/index.ts'
import { mutersOf } from '../../muted-users/queries.ts'
import { followsWhereMentioned } from '../../user-topics/rules.ts'

/**
 * The mentioned users whose settings say that they follow topics in which they are mentioned: those who are
 * subscribed to the channel and have not muted the sender.
 */
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
