import type { OrganizationState } from '../../../kernel/projection.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { subscribersOf } from '../../channels/queries/index.ts'
import { closureOf, groupsProjection } from '../../groups/queries.ts'
import { isCovered, mayMentionGroup, type Member } from '../../groups/rules.ts'
import { groupSetting } from '../../organizations/queries/index.ts'
import { WILDCARD_MENTION_THRESHOLD } from '../contract/index.ts'
import type { ContentFacts } from './recipients.ts'

/**
 * Refuses mentions that the author is not allowed. In direct conversations every author may mention all.
 * @throws Refusal BAD_REQUEST, STREAM_WILDCARD_MENTION_NOT_ALLOWED, TOPIC_WILDCARD_MENTION_NOT_ALLOWED
 */
export function checkMentions(
  organization: OrganizationState,
  author: Member,
  channelId: number | null,
  facts: ContentFacts,
): void {
  const subscribers = channelId === null ? 0 : subscribersOf(organization, channelId).size
  if (facts.mentionsChannel && !mayMentionMany(organization, author, subscribers)) {
    throw new Refusal(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use channel wildcard mentions in this channel.',
    )
  }
  if (!mayMentionMany(organization, author, facts.topicParticipantIds.length)) {
    throw new Refusal(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use topic wildcard mentions in this topic.',
    )
  }
  for (const groupId of facts.mentionedGroupIds) requireMayMention(organization, author, groupId)
}

/**
 * A mention of a group notifies the members of all groups inside it, so the author must be allowed to mention each of
 * these. System groups cannot be mentioned by themselves; inside another group they are many people, as with a
 * wildcard.
 */
function requireMayMention(organization: OrganizationState, author: Member, groupId: number): void {
  for (const group of closureOf(organization.of(groupsProjection), groupId)) {
    const isMany = group.isSystemGroup && group.id !== groupId
    const isAllowed = isMany
      ? isCovered(organization, author, groupSetting(organization, 'can_mention_many_users_group'))
      : mayMentionGroup(organization, author, group)
    if (!isAllowed) {
      throw new Refusal('BAD_REQUEST', `You are not allowed to mention user group '${group.name}'.`)
    }
  }
}

function mayMentionMany(organization: OrganizationState, author: Member, count: number): boolean {
  if (count <= WILDCARD_MENTION_THRESHOLD) return true
  return isCovered(organization, author, groupSetting(organization, 'can_mention_many_users_group'))
}
