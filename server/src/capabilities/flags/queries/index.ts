import type { Db, TransactionDb } from '../../../kernel/transaction.ts'
import type { EventOf, LoggedEvent } from '../../../kernel/event-binding.ts'
import type { ClientForm, Viewer } from '../../../kernel/viewer.ts'
import type { PersonalFacts } from '../../messages/rules/recipients.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import type { MessagesInConversation } from '../../messages/contract/index.ts'
import { presentConversation } from '../../messages/queries/stored.ts'
import type * as contract from '../contract.ts'
import { unreadConversations } from './unread-conversations.ts'
import { unreadMessages } from './unread.ts'

export async function flagRowsOf(
  db: TransactionDb,
  organizationId: number,
  messageId: number,
): Promise<Map<number, Omit<PersonalFacts, 'isRead' | 'received'>>> {
  const rows = await db.rows<Omit<PersonalFacts, 'isRead' | 'received'> & { readonly userId: number }>(
    'flag_rows',
    `select user_id as "userId", starred, collapsed, mentioned, topic_wildcard_mentioned as "topicWildcardMentioned",
            has_alert_word as "hasAlertWord"
     from message_flags where organization_id = $1 and message_id = $2`,
    [organizationId, messageId],
  )
  return new Map(rows.map((row) => [row.userId, row]))
}

export function flagsAddedToClient(
  { payload }: EventOf<typeof contract.flagsAdded>,
  { form }: Viewer,
): LoggedEvent['payload'] {
  const { conversations, ...rest } = payload
  return { ...rest, ...presentConversations(form, conversations) }
}

/** Replaces the empty topic for clients that do not support it. */
export function flagsRemovedToClient(
  { payload }: EventOf<typeof contract.flagsRemoved>,
  { form }: Viewer,
): LoggedEvent['payload'] {
  const { message_details: details, conversations, ...rest } = payload
  if (details === undefined) return rest
  const named = Object.entries(details).map(([messageId, detail]) => [
    messageId,
    detail.topic === undefined
      ? detail
      : { ...detail, topic: presentTopic(detail.topic, form.capabilities.empty_topic_name) },
  ])
  return {
    ...rest,
    message_details: Object.fromEntries(named),
    ...presentConversations(form, conversations),
  }
}

function presentConversations(
  { capabilities }: ClientForm,
  conversations: readonly MessagesInConversation[] | undefined,
): { conversations?: MessagesInConversation[] } {
  if (!capabilities.unread_ranges || conversations === undefined) return {}
  return { conversations: conversations.map((one) => presentConversation(one, capabilities.empty_topic_name)) }
}

export async function starredMessagesSnapshot(
  db: Db,
  { organization, userId }: Viewer,
): Promise<Record<string, unknown>> {
  const rows = await db.rows<{ message_id: number }>(
    'starred_messages',
    `select message_id from message_flags where organization_id = $1 and user_id = $2 and starred
     order by message_id`,
    [organization.id, userId],
  )
  return { starred_messages: rows.map((row) => row.message_id) }
}

export async function unreadSnapshot(db: Db, viewer: Viewer): Promise<Record<string, unknown>> {
  return viewer.form.capabilities.unread_ranges
    ? { unread_conversations: await unreadConversations(db, viewer) }
    : { unread_msgs: await unreadMessages(db, viewer) }
}
