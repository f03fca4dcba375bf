import type { OrganizationState } from '../../../kernel/projection.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Channel } from '../../channels/queries/index.ts'
import { knownChannel, knownChannelByName, maySend } from '../../channels/rules/index.ts'
import { canonicalTopic } from '../../channels/rules/topics.ts'
import { isCovered, type Member } from '../../groups/rules.ts'
import { groupSetting, setting } from '../../organizations/queries/index.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { knownUser, visibleUserByEmail } from '../../users/rules/index.ts'
import { visibleUser } from '../../users/rules/visibility.ts'

/** Clients that people read with: who sends from one has seen the message. Everything else is a program. */
const PEOPLES_CLIENTS = new Set([
  'website',
  'ios',
  'android',
  'zulipmobile',
  'zulipelectron',
  'zulipterminal',
  'flutter',
])

/** Whether a message starts as read for its sender when the request does not say. */
export function isReadBySender(client: string): boolean {
  return PEOPLES_CLIENTS.has(client.toLowerCase())
}

/**
 * The channel of a message, for a sender who may send there. A channel that the sender may not know of is refused as
 * if absent.
 */
export function sendableChannel(organization: OrganizationState, member: Member, to: number | string): Channel {
  const channel =
    typeof to === 'number' ? knownChannel(organization, member, to) : knownChannelByName(organization, member, to)
  if (!maySend(organization, member, channel)) {
    throw new Refusal('BAD_REQUEST', `Not authorized to send to channel '${channel.name}'`)
  }
  return channel
}

/** The topic a text means in a channel, or a refusal where topics have rules. */
export function checkedTopic(organization: OrganizationState, channel: Channel, given: string): string {
  const topic = canonicalTopic(given)
  const policy = channel.topicsPolicy === 'inherit' ? setting(organization, 'topics_policy') : channel.topicsPolicy
  if (topic === '' && policy === 'disable_empty_topic') {
    throw new Refusal('BAD_REQUEST', 'Topics are required in this channel.')
  }
  if (topic !== '' && policy === 'empty_topic_only') {
    throw new Refusal('BAD_REQUEST', 'Only the general chat topic is allowed in this channel.')
  }
  return topic
}

/** The sender included. More people than this are better served by a channel, and an index row holds no more. */
export const MAX_CONVERSATION_MEMBERS = 250

/** All users in the direct conversation that a sender means, ascending, the sender included. */
export function conversationMembers(
  organization: OrganizationState,
  member: Member,
  to: readonly (number | string)[],
): number[] {
  if (to.length === 0) throw new Refusal('BAD_REQUEST', 'Message must have recipients')
  if (to.length >= MAX_CONVERSATION_MEMBERS) {
    throw new Refusal('BAD_REQUEST', `A direct message has fewer than ${MAX_CONVERSATION_MEMBERS} recipients.`)
  }
  const users = recipients(organization, member, to)
  return [...new Set([...users.map((user) => user.id), member.userId])].toSorted((a, b) => a - b)
}

/**
 * Checks again the users that `conversationMembers` found: they may be gone since, or the permission.
 * @throws Refusal BAD_REQUEST
 */
export function requireMayStillWrite(
  organization: OrganizationState,
  member: Member,
  memberIds: readonly number[],
): void {
  recipients(organization, member, memberIds)
}

function recipients(organization: OrganizationState, member: Member, to: readonly (number | string)[]): UserRow[] {
  const users = to.map((one): UserRow => {
    const user =
      typeof one === 'number' ? visibleUser(organization, member, one) : visibleUserByEmail(organization, member, one)
    if (user === undefined)
      throw new Refusal('BAD_REQUEST', typeof one === 'number' ? `Invalid user ID ${one}` : `Invalid email '${one}'`)
    if (!user.isActive) throw new Refusal('BAD_REQUEST', `'${user.email}' is no longer using this server.`)
    return user
  })
  const others = users.filter((user) => user.id !== member.userId)
  if (others.length > 0 && !mayWriteTo(organization, member, others)) {
    throw new Refusal('BAD_REQUEST', 'Direct messages are disabled in this organization.')
  }
  return users
}

/**
 * At least one user in the conversation must be allowed direct messages; messages to bots and to oneself always are.
 */
function mayWriteTo(organization: OrganizationState, member: Member, others: readonly UserRow[]): boolean {
  if (others.every((user) => user.botType !== null)) return true
  const allowed = groupSetting(organization, 'direct_message_permission_group')
  const everybody = [member, ...others.map((user) => ({ userId: user.id, role: user.role }))]
  return everybody.some((one) => isCovered(organization, one, allowed))
}

/**
 * Whether a member may write the first message of a conversation. Messages to bots alone, and to oneself, are always
 * allowed.
 */
export function mayBegin(organization: OrganizationState, member: Member, memberIds: readonly number[]): boolean {
  if (isCovered(organization, member, groupSetting(organization, 'direct_message_initiator_group'))) return true
  return memberIds.every((userId) => userId === member.userId || knownUser(organization, userId).botType !== null)
}
