import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import { type Channel, channelById, isSubscribed } from '../../channels/queries/index.ts'
import { knownChannel, knownChannelByName, maySendToChannel, readablePart } from '../../channels/rules/index.ts'
import { personBehind } from '../../community/queries.ts'
import { normalizeTopic } from '../../channels/rules/topics.ts'
import { isCovered, type Member } from '../../groups/rules.ts'
import { groupSetting, settingOf } from '../../organizations/queries/index.ts'
import { type UserRow, userById } from '../../users/queries/index.ts'
import { knownUser, visibleUserByEmail } from '../../users/rules/index.ts'
import { visibleUser } from '../../users/rules/visibility.ts'
import { isBlockedFor, usersMuting } from '../../muted-users/queries.ts'
import { automaticPolicy, followsWhereMentioned } from '../../user-topics/rules.ts'

const INTERACTIVE_CLIENTS = new Set([
  'website',
  'ios',
  'android',
  'zulipmobile',
  'zulipelectron',
  'zulipterminal',
  'flutter',
])

export function isReadBySender(client: string): boolean {
  return INTERACTIVE_CLIENTS.has(client.toLowerCase())
}

export function sendableChannel(organization: OrganizationState, member: Member, to: number | string): Channel {
  const channel =
    typeof to === 'number' ? knownChannel(organization, member, to) : knownChannelByName(organization, member, to)
  if (!maySendToChannel(organization, member, channel)) {
    throw new ApiError('BAD_REQUEST', `Not authorized to send to channel '${channel.name}'`)
  }
  return channel
}

export function validateTopic(organization: OrganizationState, channel: Channel, given: string): string {
  const topic = normalizeTopic(given)
  const policy = channel.topicsPolicy === 'inherit' ? settingOf(organization, 'topics_policy') : channel.topicsPolicy
  if (topic === '' && policy === 'disable_empty_topic') {
    throw new ApiError('BAD_REQUEST', 'Topics are required in this channel.')
  }
  if (topic !== '' && policy === 'empty_topic_only') {
    throw new ApiError('BAD_REQUEST', 'Only the general chat topic is allowed in this channel.')
  }
  return topic
}

/** Includes the sender. An index row cannot contain more members. */
export const MAX_CONVERSATION_MEMBERS = 250

/** Returns user IDs, ascending, including the sender. */
export function conversationMembers(
  organization: OrganizationState,
  member: Member,
  to: readonly (number | string)[],
): number[] {
  if (to.length === 0) throw new ApiError('BAD_REQUEST', 'Message must have recipients')
  if (to.length >= MAX_CONVERSATION_MEMBERS) {
    throw new ApiError('BAD_REQUEST', `A direct message has fewer than ${MAX_CONVERSATION_MEMBERS} recipients.`)
  }
  const users = resolveRecipients(organization, member, to)
  return [...new Set([...users.map((user) => user.id), member.userId])].toSorted((a, b) => a - b)
}

/** Repeats the checks of `conversationMembers`: users or permissions may have changed. @throws ApiError BAD_REQUEST */
export function requireMayStillWrite(
  organization: OrganizationState,
  member: Member,
  memberIds: readonly number[],
): void {
  resolveRecipients(organization, member, memberIds)
}

function resolveRecipients(
  organization: OrganizationState,
  member: Member,
  to: readonly (number | string)[],
): UserRow[] {
  const users = to.map((one): UserRow => {
    const user =
      typeof one === 'number' ? visibleUser(organization, member, one) : visibleUserByEmail(organization, member, one)
    if (user === undefined)
      throw new ApiError('BAD_REQUEST', typeof one === 'number' ? `Invalid user ID ${one}` : `Invalid email '${one}'`)
    if (!user.isActive) throw new ApiError('BAD_REQUEST', `'${user.email}' is no longer using this server.`)
    return user
  })
  const others = users.filter((user) => user.id !== member.userId)
  const memberIds = [member.userId, ...others.map(({ id }) => id)]
  if (others.some(({ id }) => blockerIn(organization, id, memberIds) === member.userId)) {
    throw new ApiError('BAD_REQUEST', 'You blocked this person. Unblock them to send direct messages.')
  }
  if (others.length > 0 && !mayWriteToConversation(organization, member, others)) {
    throw new ApiError('BAD_REQUEST', 'Direct messages are disabled in this organization.')
  }
  return users
}

/** Whether all `others` are bots, or at least one participant has the permission to use direct messages. */
function mayWriteToConversation(organization: OrganizationState, member: Member, others: readonly UserRow[]): boolean {
  if (others.every((user) => user.botType !== null)) return true
  const allowed = groupSetting(organization, 'direct_message_permission_group')
  const everybody = [member, ...others.map((user) => ({ userId: user.id, role: user.role }))]
  return everybody.some((one) => isCovered(organization, one, allowed))
}

/** Returns the member who gets no message of the sender: they block the sender, and the others are only bots. */
export function blockerIn(
  organization: OrganizationState,
  senderId: number,
  memberIds: readonly number[],
): number | undefined {
  const person = personBehind(organization, senderId)
  const others = memberIds.filter((id) => id !== senderId && id !== person?.id)
  const people = others.filter((id) => userById(organization, id)?.botType === null)
  const [partner, another] = people.length > 0 ? people : others
  if (partner === undefined || another !== undefined) return undefined
  return isBlockedFor(organization, partner, senderId) ? partner : undefined
}

/** Conversations with only bots, or with oneself, are always allowed. */
export function mayStartConversation(
  organization: OrganizationState,
  member: Member,
  memberIds: readonly number[],
): boolean {
  if (isCovered(organization, member, groupSetting(organization, 'direct_message_initiator_group'))) return true
  return memberIds.every((userId) => userId === member.userId || knownUser(organization, userId).botType !== null)
}

/** Returns subscribers who follow topics that mention them, unless they muted the sender. */
export function followersAmong(
  organization: OrganizationState,
  { channelId, senderId }: { readonly channelId: number | null; readonly senderId: number },
  mentioned: readonly number[],
): number[] {
  if (channelId === null || mentioned.length === 0) return []
  const muters = usersMuting(organization, senderId)
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
