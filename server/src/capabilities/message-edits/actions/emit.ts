import type { Audience } from '../../../kernel/audience.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { SharedTx, Tx } from '../../../kernel/transaction.ts'
import { isMeMessage } from '../../../platform/markdown/me-message.ts'
import {
  areAllSubscribedSince,
  channelById,
  subscribersOf,
  wasSubscribed,
  type Channel,
} from '../../channels/queries/index.ts'
import { conversationOf } from '../../messages/queries/stored.ts'
import { audienceOf, type StoredMessage } from '../../messages/queries/index.ts'
import { messagesDeleted, messageUpdated, type MessageDeletion, type MessageUpdate } from '../contract.ts'
import { groupUsersByFlags, type EventRecipients } from '../queries/index.ts'
import type { NewMentions, LoggedUpdate } from '../queries/events.ts'

export interface UpdateReceivers extends EventRecipients {
  readonly audience?: Pick<Audience, 'channel' | 'alsoAt'>
}

export async function emitMessageUpdate(
  tx: SharedTx,
  update: Omit<MessageUpdate, 'flags' | 'message_id'> & NewMentions,
  message: StoredMessage,
  receivers: UpdateReceivers,
): Promise<void> {
  const { everybody, others: users, audience } = receivers
  if (everybody.size === 0 && users.length === 0) return
  const { usual: flags, others } = await groupUsersByFlags(tx, message, receivers)
  const logged: LoggedUpdate = { ...update, message_id: message.id, flags, others }
  tx.emit(messageUpdated, logged, { ...audience, users })
}

/** `also`: users who can read the message but did not receive it. */
export async function emitContentUpdate(
  tx: SharedTx,
  message: StoredMessage,
  change: Pick<MessageUpdate, 'user_id' | 'rendering_only' | 'orig_content' | 'orig_rendered_content'> &
    NewMentions & { readonly content: string; readonly renderedContent: string },
  also: readonly number[] = [],
): Promise<void> {
  const { content, renderedContent, ...fields } = change
  const channel = message.channelId === null ? undefined : channelById(tx.organization, message.channelId)
  const update = {
    ...fields,
    message_ids: [message.id],
    edit_timestamp: tx.now,
    ...(channel === undefined ? {} : { stream_id: channel.id, stream_name: channel.name }),
    content,
    rendered_content: renderedContent,
    is_me_message: isMeMessage(content, renderedContent),
    conversation: conversationOf(message),
  }
  if (channel === undefined) {
    await emitMessageUpdate(tx, update, message, { everybody: NO_USERS, others: message.readerIds ?? [] })
    return
  }
  const everybody = readersIn(tx.organization, channel, message.id)
  const others = also.filter((userId) => !everybody.has(userId))
  await emitMessageUpdate(tx, update, message, { everybody, others, audience: audienceOf(tx.organization, message) })
}

const NO_USERS: ReadonlySet<number> = new Set()

function readersIn(organization: OrganizationState, channel: Channel, messageId: number): ReadonlySet<number> {
  const subscribers = subscribersOf(organization, channel.id)
  if (channel.historyPublic || areAllSubscribedSince(organization, channel.id, messageId)) return subscribers
  return new Set([...subscribers].filter((userId) => wasSubscribed(organization, userId, channel.id, messageId)))
}

/** Emits one event per message for older clients; the first event lists all IDs. */
export function emitMessageDeletion(
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
