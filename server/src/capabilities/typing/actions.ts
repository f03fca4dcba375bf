import type { Input } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Call } from '../../platform/request.ts'
import { subscribersOf } from '../channels/queries/index.ts'
import { normalizeRequestedTopic } from '../channels/rules/topics.ts'
import { requireMayStartConversation } from '../messages/actions/conversations.ts'
import { audienceOf, mayReadMessage, messagesById } from '../messages/queries/index.ts'
import { withoutBlockers } from '../muted-users/queries.ts'
import { conversationMembers, sendableChannel } from '../messages/rules/index.ts'
import { knownUser } from '../users/rules/index.ts'
import { userSetting } from '../users/queries/index.ts'
import type * as contract from './contract.ts'
import {
  editTypingStarted,
  editTypingStopped,
  MAX_NOTIFIED_SUBSCRIBERS,
  typingStarted,
  typingStopped,
} from './contract.ts'
import type { TypingNotice } from './queries.ts'

type TypingInput = Input<typeof contract.setTypingStatus>

export async function setTypingStatus(call: Call, input: TypingInput): Promise<Record<string, never>> {
  if (input.type === 'direct') await sendDirectTyping(call, input)
  else sendChannelTyping(call, input)
  return {}
}

async function sendDirectTyping(call: Call, { op, to }: TypingInput): Promise<void> {
  const { organization } = call.log
  if (to === undefined) throw missingParameterError('to')
  const memberIds = conversationMembers(organization, call.actor, to)
  requireTypingEnabled(call, 'direct')
  await requireMayStartConversation({ organization, db: call.reads }, call.actor, memberIds)
  const notice: TypingNotice = { senderId: call.actor.userId, recipientIds: memberIds }
  const audience = withoutBlockers(organization, call.actor.userId, { users: memberIds })
  call.log.publishEphemeral(op === 'start' ? typingStarted : typingStopped, { ...notice }, audience)
}

function sendChannelTyping(call: Call, { op, stream_id: channelId, topic }: TypingInput): void {
  const { organization } = call.log
  if (channelId === undefined) throw missingParameterError('stream_id')
  const channel = sendableChannel(organization, call.actor, channelId)
  const canonical = normalizeRequestedTopic(organization, call.actor, topic)
  requireTypingEnabled(call, 'channel')
  if (subscribersOf(organization, channel.id).size > MAX_NOTIFIED_SUBSCRIBERS) return
  const notice: TypingNotice = { senderId: call.actor.userId, channelId: channel.id, topic: canonical }
  const audience = withoutBlockers(organization, call.actor.userId, { channel: channel.id })
  call.log.publishEphemeral(op === 'start' ? typingStarted : typingStopped, { ...notice }, audience)
}

export async function setTypingStatusForMessageEdit(
  call: Call,
  { message_id: id, op }: Input<typeof contract.setTypingStatusForMessageEdit>,
): Promise<Record<string, never>> {
  const { organization } = call.log
  const message = (await messagesById(call.reads, organization.id, [id])).get(id)
  if (message === undefined || !mayReadMessage(organization, call.actor, message)) {
    throw new ApiError('BAD_REQUEST', 'Invalid message(s)')
  }
  if (message.senderId !== call.actor.userId) {
    throw new ApiError('BAD_REQUEST', "You don't have permission to edit this message")
  }
  const { channelId, memberIds, topic } = message
  requireTypingEnabled(call, channelId === null ? 'direct' : 'channel')
  if (channelId !== null && subscribersOf(organization, channelId).size > MAX_NOTIFIED_SUBSCRIBERS) return {}
  call.log.publishEphemeral(
    op === 'start' ? editTypingStarted : editTypingStopped,
    {
      sender_id: call.actor.userId,
      message_id: id,
      recipient:
        channelId === null
          ? { type: 'direct', user_ids: [...(memberIds ?? [])] }
          : { type: 'channel', channel_id: channelId, topic },
    },
    withoutBlockers(organization, call.actor.userId, audienceOf(organization, message)),
  )
  return {}
}

function requireTypingEnabled(call: Call, kind: 'direct' | 'channel'): void {
  const user = knownUser(call.log.organization, call.actor.userId)
  const name = kind === 'direct' ? 'send_private_typing_notifications' : 'send_stream_typing_notifications'
  if (userSetting(user, name)) return
  throw new ApiError('BAD_REQUEST', `User has disabled typing notifications for ${kind} messages`)
}

function missingParameterError(name: string): ApiError {
  return new ApiError('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name })
}
