import type { messageEdits, reactions } from '@parley/server/contract'
import type { Message } from '../../kernel/message.ts'

/* Applies events to a message. Each function is idempotent. */

export type ReactionChange = reactions.ReactionEvent & { readonly op: 'add' | 'remove' }
export type Submessage = Message['submessages'][number] & { readonly submessage_id: number }

export function withContent(message: Message, update: messageEdits.MessageUpdate): Message {
  return {
    ...message,
    content: update.rendered_content ?? message.content,
    flags: update.flags,
    is_me_message: update.is_me_message ?? message.is_me_message,
    ...(update.rendering_only ? {} : { last_edit_timestamp: update.edit_timestamp }),
  }
}

export function withLocation(message: Message, update: messageEdits.MessageUpdate): Message {
  const { subject, new_stream_id: channelId } = update
  return {
    ...message,
    ...(subject === undefined ? {} : { subject, topic_links: update.topic_links ?? [] }),
    ...(channelId === undefined ? {} : { stream_id: channelId }),
    last_moved_timestamp: update.edit_timestamp,
  }
}

export function withFlag(message: Message, flag: string, isRemoved: boolean): Message {
  const others = message.flags.filter((known) => known !== flag)
  return { ...message, flags: isRemoved ? others : [...others, flag] }
}

export function withReaction(message: Message, reaction: ReactionChange): Message {
  const { op, user_id, emoji_code, emoji_name, reaction_type } = reaction
  const others = message.reactions.filter(
    (one) => one.user_id !== user_id || one.emoji_code !== emoji_code || one.reaction_type !== reaction_type,
  )
  const added = { user_id, emoji_code, emoji_name, reaction_type }
  return { ...message, reactions: op === 'add' ? [...others, added] : others }
}

export function withSubmessage(message: Message, submessage: Submessage): Message {
  const { submessage_id: id, message_id, sender_id, msg_type, content } = submessage
  const others = message.submessages.filter((one) => one.id !== id)
  return { ...message, submessages: [...others, { id, message_id, sender_id, msg_type, content }] }
}
