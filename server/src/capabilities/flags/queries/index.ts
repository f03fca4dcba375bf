import type { Db, TransactionDb } from '../../../kernel/transaction.ts'
import type { LoggedEvent } from '../../../kernel/event-binding.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import type { PersonalFacts } from '../../messages/rules/recipients.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import type { MessageDetails } from '../contract.ts'

/**
 * The flags that users have set on a message and what the message means to them, apart from what they have read.
 * Users without a row are left out.
 */
export async function flagRowsOf(
  db: TransactionDb,
  organizationId: number,
  messageId: number,
): Promise<Map<number, Omit<PersonalFacts, 'isRead' | 'received'>>> {
  const rows = await db
    .selectFrom('message_flags')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('message_id', '=', messageId)
    .execute()
  return new Map(
    rows.map(({ user_id, starred, collapsed, mentioned, topic_wildcard_mentioned, has_alert_word }) => [
      user_id,
      {
        starred,
        collapsed,
        mentioned,
        topicWildcardMentioned: topic_wildcard_mentioned,
        hasAlertWord: has_alert_word,
      },
    ]),
  )
}

/** The empty topic has another name for clients that do not know it. */
export function flagsRemovedToClient({ payload }: LoggedEvent, { form }: Viewer): LoggedEvent['payload'] {
  // The payload is the declared one.
  const { message_details: details } = payload as { message_details?: Record<string, MessageDetails> }
  if (details === undefined) return payload
  const named = Object.entries(details).map(([messageId, detail]) => [
    messageId,
    detail.topic === undefined
      ? detail
      : { ...detail, topic: presentTopic(detail.topic, form.capabilities.empty_topic_name) },
  ])
  return { ...payload, message_details: Object.fromEntries(named) as Record<string, MessageDetails> }
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
