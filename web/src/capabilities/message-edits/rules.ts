import type { Message } from '../../kernel/message.ts'
import { onlyChangesResolution } from '../../kernel/topic.ts'
import { store } from '../../platform/client.ts'
import { channelById, isInArchivedChannel, subscriptionTo, type Channel } from '../channels/state.ts'
import { coversCurrentUser } from '../groups/state.ts'
import { isModerator, ownId, userById } from '../users/state.ts'

/* Mirrors the server's rules, so that the client offers nothing that the server would refuse. */

type LimitSetting =
  | 'realm_message_content_edit_limit_seconds'
  | 'realm_message_content_delete_limit_seconds'
  | 'realm_move_messages_within_stream_limit_seconds'
  | 'realm_move_messages_between_streams_limit_seconds'

type Permission =
  | 'realm_can_delete_any_message_group'
  | 'realm_can_delete_own_message_group'
  | 'realm_can_move_messages_between_channels_group'
  | 'realm_can_move_messages_between_topics_group'
  | 'realm_can_resolve_topics_group'

type ChannelPermission =
  | 'can_delete_any_message_group'
  | 'can_delete_own_message_group'
  | 'can_move_messages_out_of_channel_group'
  | 'can_move_messages_within_channel_group'
  | 'can_resolve_topics_group'

function isWithinLimit(limit: LimitSetting, { timestamp }: Pick<Message, 'timestamp'>): boolean {
  const seconds = store().read(limit)
  return seconds === null || Date.now() / 1000 <= timestamp + seconds
}

function isGranted(permission: Permission, channel: Channel | undefined, ofChannel: ChannelPermission): boolean {
  return coversCurrentUser(store().read(permission)) || (channel !== undefined && coversCurrentUser(channel[ofChannel]))
}

function channelOf({ stream_id: id }: Pick<Message, 'stream_id'>): Channel | undefined {
  return id === undefined ? undefined : channelById(id)
}

/** `late`: only the time limit prevents the change. */
type Permit = 'granted' | 'late' | 'denied'

function permitWithin(limit: LimitSetting, message: Pick<Message, 'timestamp'>): Permit {
  return isWithinLimit(limit, message) ? 'granted' : 'late'
}

/** Whether the user can edit the message's text. Polls and other messages with submessages cannot be edited. */
export function editPermit(message: Message): Permit {
  const isEditable =
    !isInArchivedChannel(message) &&
    message.submessages.length === 0 &&
    message.sender_id === ownId() &&
    store().read('realm_allow_message_editing')
  return isEditable ? permitWithin('realm_message_content_edit_limit_seconds', message) : 'denied'
}

export function deletePermit(message: Pick<Message, 'sender_id' | 'stream_id' | 'timestamp'>): Permit {
  if (isInArchivedChannel(message)) return 'denied'
  const channel = channelOf(message)
  if (isGranted('realm_can_delete_any_message_group', channel, 'can_delete_any_message_group')) return 'granted'
  const isOwn = message.sender_id === ownId() || userById(message.sender_id)?.bot_owner_id === ownId()
  return isOwn && isGranted('realm_can_delete_own_message_group', channel, 'can_delete_own_message_group')
    ? permitWithin('realm_message_content_delete_limit_seconds', message)
    : 'denied'
}

export function mayRenameTopics(channelId: number): boolean {
  const channel = channelById(channelId)
  return (
    channel?.is_archived === false &&
    isGranted('realm_can_move_messages_between_topics_group', channel, 'can_move_messages_within_channel_group')
  )
}

export function mayMoveWithinChannel(message: Message): boolean {
  return (
    mayRenameTopics(message.stream_id ?? 0) &&
    (isModerator() || isWithinLimit('realm_move_messages_within_stream_limit_seconds', message))
  )
}

export function mayMoveOutOfChannel(message: Message): boolean {
  const channel = channelOf(message)
  return (
    channel?.is_archived === false &&
    isGranted('realm_can_move_messages_between_channels_group', channel, 'can_move_messages_out_of_channel_group') &&
    (isModerator() || isWithinLimit('realm_move_messages_between_streams_limit_seconds', message))
  )
}

export function maySendTo(channel: Channel): boolean {
  const isInside =
    subscriptionTo(channel.stream_id) !== undefined || (!channel.invite_only && !store().read('is_guest'))
  return !channel.is_archived && isInside && coversCurrentUser(channel.can_send_message_group)
}

export function mayResolve(channelId: number): boolean {
  const channel = channelById(channelId)
  return (
    channel?.is_archived === false && isGranted('realm_can_resolve_topics_group', channel, 'can_resolve_topics_group')
  )
}

/** Whether the message was moved, except by resolving its topic. Its history lacks moves since it was loaded. */
export function wasMoved({ last_moved_timestamp: at, edit_history: edits = [] }: Message): boolean {
  const isMoved = edits.some(
    ({ prev_stream, prev_topic, topic }) =>
      prev_stream !== undefined || (prev_topic !== undefined && !onlyChangesResolution(prev_topic, topic)),
  )
  return at !== undefined && (isMoved || edits.every(({ timestamp }) => timestamp !== at))
}

export function hasHistory(message: Message): boolean {
  const policy = store().read('realm_message_edit_history_visibility_policy')
  const isMoved = message.last_moved_timestamp !== undefined
  if (policy === 'none') return false
  return policy === 'moves' ? isMoved : isMoved || message.last_edit_timestamp !== undefined
}
