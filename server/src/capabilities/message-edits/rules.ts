import { ROLE } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import {
  channelById,
  type Channel,
  positionsWithin,
  subscribedPeriods,
  subscribersOf,
} from '../channels/queries/index.ts'
import { maySendToChannel, mayReadMessage, readablePart } from '../channels/rules/index.ts'
import { RESOLVED_PREFIX } from '../channels/contract/records.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../organizations/contract/index.ts'
import type { ChannelPermission, RealmPermission } from '../groups/contract/permissions.ts'
import { isCovered, type Member } from '../groups/rules.ts'
import type { StoredMessage } from '../messages/queries/index.ts'
import { groupSetting, settingOf } from '../organizations/queries/index.ts'
import { userById } from '../users/queries/index.ts'
import { sharedLists, type SharedList } from '../../kernel/shared-lists.ts'

/** Clients offer a change until its time limit ends, and requests arrive slightly later. */
export const TIME_LIMIT_GRACE_SECONDS = 20

export function isTimeLimitOver(limitSeconds: number | null, date: number, now: number): boolean {
  return limitSeconds !== null && date < earliestWithinLimit(limitSeconds, now)
}

export function earliestWithinLimit(limitSeconds: number, now: number): number {
  return now - limitSeconds - TIME_LIMIT_GRACE_SECONDS
}

function hasRealmOrChannelPermission(
  organization: OrganizationState,
  member: Member,
  realmPermission: RealmPermission,
  channel: Channel | undefined,
  channelPermission: ChannelPermission,
): boolean {
  if (isCovered(organization, member, groupSetting(organization, realmPermission))) return true
  return channel !== undefined && isCovered(organization, member, channel.permissions[channelPermission])
}

function mayResolveTopics(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return hasRealmOrChannelPermission(
    organization,
    member,
    'can_resolve_topics_group',
    channel,
    'can_resolve_topics_group',
  )
}

function mayMoveBetweenTopics(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return hasRealmOrChannelPermission(
    organization,
    member,
    'can_move_messages_between_topics_group',
    channel,
    'can_move_messages_within_channel_group',
  )
}

function mayMoveOutOfChannel(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return hasRealmOrChannelPermission(
    organization,
    member,
    'can_move_messages_between_channels_group',
    channel,
    'can_move_messages_out_of_channel_group',
  )
}

export function mayDeleteAnyMessage(
  organization: OrganizationState,
  member: Member,
  channel: Channel | undefined,
): boolean {
  return hasRealmOrChannelPermission(
    organization,
    member,
    'can_delete_any_message_group',
    channel,
    'can_delete_any_message_group',
  )
}

function mayDeleteOwnMessage(organization: OrganizationState, member: Member, channel: Channel | undefined): boolean {
  return hasRealmOrChannelPermission(
    organization,
    member,
    'can_delete_own_message_group',
    channel,
    'can_delete_own_message_group',
  )
}

export function requireMayRewrite(
  organization: OrganizationState,
  member: Member,
  message: StoredMessage,
  now: number,
): void {
  if (message.senderId !== member.userId) {
    throw new ApiError('BAD_REQUEST', "You don't have permission to edit this message")
  }
  if (!settingOf(organization, 'allow_message_editing')) {
    throw new ApiError('BAD_REQUEST', 'Your organization has turned off message editing')
  }
  if (isTimeLimitOver(settingOf(organization, 'message_content_edit_limit_seconds'), message.dateSent, now)) {
    throw new ApiError('BAD_REQUEST', 'The time limit for editing this message has passed')
  }
}

export interface Relocation {
  readonly from: Channel
  readonly to: Channel
  readonly topicChanges: boolean
  readonly resolves: boolean
}

export function requireMayMove(organization: OrganizationState, member: Member, move: Relocation): void {
  const { from, to, topicChanges, resolves } = move
  if (resolves) {
    if (mayResolveTopics(organization, member, from)) return
    throw new ApiError('BAD_REQUEST', "You don't have permission to resolve topics in this channel.")
  }
  if (topicChanges && !mayMoveBetweenTopics(organization, member, from)) {
    throw new ApiError('BAD_REQUEST', "You don't have permission to edit this message")
  }
  if (to.id === from.id) return
  if (!mayMoveOutOfChannel(organization, member, from)) {
    throw new ApiError('BAD_REQUEST', "You don't have permission to move this message")
  }
  if (!maySendToChannel(organization, member, to)) {
    throw new ApiError('BAD_REQUEST', `Not authorized to send to channel '${to.name}'`)
  }
}

/** Returns the maximum age of messages to move, in seconds; null if unlimited, e.g. to resolve a topic. */
export function moveTimeLimit(
  organization: OrganizationState,
  member: Member,
  { from, to, topicChanges, resolves }: Relocation,
): number | null {
  if (resolves || member.role <= ROLE.moderator) return null
  const limits: (number | null)[] = []
  if (topicChanges) limits.push(settingOf(organization, 'move_messages_within_stream_limit_seconds'))
  if (to.id !== from.id) limits.push(settingOf(organization, 'move_messages_between_streams_limit_seconds'))
  const counting = limits.filter((limit) => limit !== null)
  return counting.length === 0 ? null : Math.min(...counting)
}

export function onlyResolutionChanges(before: string, after: string): boolean {
  return after === RESOLVED_PREFIX + before || before === RESOLVED_PREFIX + after
}

export function resolvesEmptyTopic(before: string, after: string): boolean {
  return before === '' && (after === RESOLVED_PREFIX.trim() || after === RESOLVED_PREFIX + EMPTY_TOPIC_DISPLAY_NAME)
}

export function requireMayDelete(
  organization: OrganizationState,
  member: Member,
  message: StoredMessage,
  now: number,
): void {
  const channel = message.channelId === null ? undefined : channelById(organization, message.channelId)
  if (mayDeleteAnyMessage(organization, member, channel)) return
  const isOwn =
    message.senderId === member.userId || userById(organization, message.senderId)?.botOwnerId === member.userId
  if (!isOwn || !mayDeleteOwnMessage(organization, member, channel)) {
    throw new ApiError('BAD_REQUEST', "You don't have permission to delete this message")
  }
  if (isTimeLimitOver(settingOf(organization, 'message_content_delete_limit_seconds'), message.dateSent, now)) {
    throw new ApiError('BAD_REQUEST', 'The time limit for deleting this message has passed')
  }
}

/** Channels that the member cannot read get the same error as missing channels. */
export function requireDestinationChannel(organization: OrganizationState, member: Member, channelId: number): Channel {
  const channel = channelById(organization, channelId)
  if (channel === undefined || readablePart(organization, member, channel) === 'none') {
    throw new ApiError('BAD_REQUEST', 'Invalid channel ID')
  }
  return channel
}

/** Message IDs for one user. Users who see all messages share one array. */
export interface Visibility {
  /** Messages visible both before and after the move. */
  readonly known: readonly number[]
  readonly gained: readonly number[]
  readonly lost: readonly number[]
}

const NO_MESSAGES: readonly number[] = []

export function readableMessageIds(
  organization: OrganizationState,
  member: Member,
  channel: Channel,
  messageIds: readonly number[],
): readonly number[] {
  switch (readablePart(organization, member, channel)) {
    case 'all':
      return messageIds
    case 'none':
      return NO_MESSAGES
    case 'published':
      return messageIds.filter((id) =>
        mayReadMessage(organization, member, { id, channelId: channel.id, readerIds: null }),
      )
    case 'subscribed':
      return positionsWithin(messageIds, subscribedPeriods(organization, member.userId, channel.id))
  }
}

export function seesAnyMessage(
  organization: OrganizationState,
  userId: number,
  channel: Channel,
  messageIds: readonly number[],
): boolean {
  const role = userById(organization, userId)?.role
  return role !== undefined && readableMessageIds(organization, { userId, role }, channel, messageIds).length > 0
}

export function visibilityByUser(
  organization: OrganizationState,
  messageIds: readonly number[],
  from: Channel,
  to: Channel,
  actorIds: readonly number[],
): Map<number, Visibility> {
  const hearers = new Set([...subscribersOf(organization, from.id), ...subscribersOf(organization, to.id), ...actorIds])
  const visibility = new Map<number, Visibility>()
  for (const userId of hearers) {
    const role = userById(organization, userId)?.role
    if (role === undefined) continue
    const member = { userId, role }
    const before = readableMessageIds(organization, member, from, messageIds)
    const after = to.id === from.id ? before : readableMessageIds(organization, member, to, messageIds)
    visibility.set(userId, compareVisibility(before, after))
  }
  return visibility
}

function compareVisibility(before: readonly number[], after: readonly number[]): Visibility {
  if (before === after) return { known: before, gained: NO_MESSAGES, lost: NO_MESSAGES }
  if (before.length === 0) return { known: NO_MESSAGES, gained: after, lost: NO_MESSAGES }
  if (after.length === 0) return { known: NO_MESSAGES, gained: NO_MESSAGES, lost: before }
  const [had, has] = [new Set(before), new Set(after)]
  return {
    known: before.filter((messageId) => has.has(messageId)),
    gained: after.filter((messageId) => !had.has(messageId)),
    lost: before.filter((messageId) => !has.has(messageId)),
  }
}

export function usersByMessages(visibility: ReadonlyMap<number, Visibility>, part: keyof Visibility): SharedList[] {
  return sharedLists(Array.from(visibility, ([userId, { [part]: messageIds }]) => [userId, messageIds] as const))
}
