import type { Audience } from '../../../kernel/audience.ts'
import type { SharedTx, Tx } from '../../../kernel/transaction.ts'
import { isMeMessage } from '../../../platform/markdown/me-message.ts'
import { channelById, subscribersOf } from '../../channels/queries/index.ts'
import { conversationOf } from '../../messages/queries/conversations.ts'
import { audienceOf, mayRead, type StoredMessage } from '../../messages/queries/index.ts'
import { userById } from '../../users/queries/index.ts'
import { messagesDeleted, messageUpdated, type MessageDeletion, type MessageUpdate } from '../contract/index.ts'
import { flagsFor } from '../queries/index.ts'
import type { LateMentions, LoggedUpdate } from '../queries/events.ts'

/**
 * The places in which an account must have been to be told of a message: an audience for more users than are worth
 * listing.
 */
export type Everybody = Pick<Audience, 'channel' | 'alsoAt'>

/**
 * Announces an update to users who see the same of it, each with their own flags of its message.
 * @param everybody an audience that holds the users named with it, so that only others are listed
 */
export async function emitUpdate(
  tx: SharedTx,
  update: Omit<MessageUpdate, 'flags' | 'message_id'> & LateMentions,
  messageId: number,
  userIds: readonly number[],
  everybody?: { readonly audience: Everybody; readonly userIds: ReadonlySet<number> },
): Promise<void> {
  const groups = await flagsFor(tx, messageId, userIds)
  const [usual, ...others] = groups.toSorted((a, b) => b.users.length - a.users.length)
  if (usual === undefined) return
  const logged: LoggedUpdate = { ...update, message_id: messageId, flags: usual.flags, others }
  tx.emit(messageUpdated, logged, {
    ...everybody?.audience,
    users: userIds.filter((userId) => everybody?.userIds.has(userId) !== true),
  })
}

/**
 * Announces to all who may read a message that it says something else, or is shown in another way.
 * @param also users who are told though they may read it without getting it
 */
export async function emitContent(
  tx: SharedTx,
  message: StoredMessage,
  change: Pick<MessageUpdate, 'user_id' | 'rendering_only' | 'orig_content' | 'orig_rendered_content'> &
    LateMentions & { readonly content: string; readonly renderedContent: string },
  also: readonly number[] = [],
): Promise<void> {
  const { content, renderedContent, ...told } = change
  const channel = message.channelId === null ? undefined : channelById(tx.organization, message.channelId)
  const update = {
    ...told,
    message_ids: [message.id],
    edit_timestamp: tx.now,
    ...(channel === undefined ? {} : { stream_id: channel.id, stream_name: channel.name }),
    content,
    rendered_content: renderedContent,
    is_me_message: isMeMessage(content, renderedContent),
    conversation: conversationOf(message),
  }
  if (channel === undefined) {
    await emitUpdate(tx, update, message.id, message.memberIds ?? [])
    return
  }
  const subscribers = [...subscribersOf(tx.organization, channel.id)].filter((userId) => {
    const role = userById(tx.organization, userId)?.role
    return role !== undefined && mayRead(tx.organization, { userId, role }, message)
  })
  await emitUpdate(tx, update, message.id, [...new Set([...subscribers, ...also])], {
    audience: audienceOf(tx.organization, message),
    userIds: new Set(subscribers),
  })
}

/** Announces messages that are gone for an audience. For older clients it is one event for each. */
export function emitDeletion(
  tx: Tx,
  place: Omit<MessageDeletion, 'message_ids' | 'message_id'>,
  messageIds: readonly number[],
  audience: Audience,
): void {
  for (const [index, messageId] of messageIds.entries()) {
    const together = index === 0 ? { message_ids: [...messageIds] } : {}
    tx.emit(messagesDeleted, { ...place, ...together, message_id: messageId }, audience)
  }
}
