import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import { subscribersOf } from '../../channels/queries/index.ts'
import { groupAndSubgroups, groupsProjection } from '../../groups/queries.ts'
import { isCovered, mayMentionGroup, type Member } from '../../groups/rules.ts'
import { groupSetting } from '../../organizations/queries/index.ts'
import { WILDCARD_MENTION_THRESHOLD } from '../contract/index.ts'
import type { ContentFacts } from './recipients.ts'

/** @throws ApiError BAD_REQUEST, STREAM_WILDCARD_MENTION_NOT_ALLOWED, TOPIC_WILDCARD_MENTION_NOT_ALLOWED */
export function requireAllowedMentions(
  organization: OrganizationState,
  author: Member,
  channelId: number | null,
  facts: ContentFacts,
): void {
  const subscribers = channelId === null ? 0 : subscribersOf(organization, channelId).size
  if (facts.mentionsChannel && !mayMentionMany(organization, author, subscribers)) {
    throw new ApiError(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use channel wildcard mentions in this channel.',
    )
  }
  if (!mayMentionMany(organization, author, facts.topicParticipantIds.length)) {
    throw new ApiError(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use topic wildcard mentions in this topic.',
    )
  }
  for (const groupId of facts.mentionedGroupIds) requireMayMention(organization, author, groupId)
}

/** A mention also notifies subgroups. A system group among them requires the permission for wildcard mentions. */
function requireMayMention(organization: OrganizationState, author: Member, groupId: number): void {
  for (const group of groupAndSubgroups(organization.of(groupsProjection), groupId)) {
    const isMany = group.isSystemGroup && group.id !== groupId
    const isAllowed = isMany
      ? isCovered(organization, author, groupSetting(organization, 'can_mention_many_users_group'))
      : mayMentionGroup(organization, author, group)
    if (!isAllowed) {
      throw new ApiError('BAD_REQUEST', `You are not allowed to mention user group '${group.name}'.`)
    }
  }
}

function mayMentionMany(organization: OrganizationState, author: Member, count: number): boolean {
  if (count <= WILDCARD_MENTION_THRESHOLD) return true
  return isCovered(organization, author, groupSetting(organization, 'can_mention_many_users_group'))
}
