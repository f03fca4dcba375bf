import type { Tx } from '../../../kernel/transaction.ts'
import { execute } from '../../../platform/db/database.ts'
import type { StoredMessage } from '../queries.ts'
import { reachOf, type ContentFacts, type Reach } from '../rules/reach.ts'

/**
 * Makes the flags of a message that was sent already say what a new text means to people; what they noted themselves
 * stays. The message's own columns are for whoever changes the text: `content`, `rendered_content` and, from
 * `facts.mentionsChannel`, `mentions_channel`.
 * @returns whom it means now
 */
export async function rewriteFlags(
  tx: Tx,
  message: StoredMessage,
  facts: ContentFacts,
): Promise<Omit<Reach, 'readBy'>> {
  const reach = reachOf(tx.world, message, facts, { senderId: message.senderId, readBySender: false })
  const { mentioned, topicMentioned, alerted } = reach
  await execute(
    tx.db,
    `insert into message_flags as f
       (organization_id, user_id, message_id, mentioned, topic_wildcard_mentioned, has_alert_word)
     select $1, u.id, $2, u.id = any($3::bigint[]), u.id = any($4::bigint[]), u.id = any($5::bigint[])
     from (select unnest($3::bigint[] || $4::bigint[] || $5::bigint[]) as id
           union select user_id from message_flags where organization_id = $1 and message_id = $2) u
     on conflict (organization_id, user_id, message_id) do update set mentioned = excluded.mentioned,
       topic_wildcard_mentioned = excluded.topic_wildcard_mentioned, has_alert_word = excluded.has_alert_word`,
    [tx.organizationId, message.id, mentioned, topicMentioned, alerted],
  )
  await execute(
    tx.db,
    `delete from message_flags where organization_id = $1 and message_id = $2
     and not (starred or collapsed or mentioned or topic_wildcard_mentioned or has_alert_word)`,
    [tx.organizationId, message.id],
  )
  return { mentioned, topicMentioned, alerted }
}
