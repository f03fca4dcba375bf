import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import type { PersonalFacts } from '../messages/rules/recipients.ts'

/**
 * The flags that users have set on a message and what the message means to them, apart from what they have read.
 * Users without a row are left out.
 */
export async function flagRowsOf(
  db: Kysely<Tables>,
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
