import type { Reader } from '../../kernel/transaction.ts'
import { subscriptionsFold } from '../channels/queries.ts'
import { FROM_MESSAGES, STORED_MESSAGE, wasSentTo, type StoredMessage } from '../messages/queries.ts'
import { flagNames, type PersonalFacts } from '../messages/rules/reach.ts'

/** A message with what its reader has noted about it. */
export interface ReadMessage extends StoredMessage, Omit<PersonalFacts, 'received'> {}

/** Messages with the reader's flags, in the order of their ids. Whether they may be read is the caller's question. */
export async function readMessages(reader: Reader, ids: readonly number[]): Promise<ReadMessage[]> {
  if (ids.length === 0) return []
  const rows = await reader.db.rows<ReadMessage>(
    'read_messages',
    `select ${STORED_MESSAGE},
       coalesce(u.read @> m.id, false) or coalesce(r.read @> m.id, false) as "isRead", f.starred, f.collapsed,
       f.mentioned, f.topic_wildcard_mentioned as "topicWildcardMentioned", f.has_alert_word as "hasAlertWord"
     from ${FROM_MESSAGES}
     left join user_reads u on u.organization_id = $1 and u.user_id = $2
     left join topic_reads r on r.organization_id = $1 and r.user_id = $2 and r.topic_id = m.topic_id
     left join message_flags f on f.organization_id = $1 and f.user_id = $2 and f.message_id = m.id
     where m.organization_id = $1 and m.id = any($3::bigint[]) order by m.id`,
    [reader.organizationId, reader.actor.userId, ids],
  )
  await reader.reach(Math.max(0, ...rows.map((row) => Math.max(row.id, row.channelId ?? 0))))
  return rows
}

/**
 * What clients show of a message's state. Only what was sent during the present subscription can be unread; what was
 * never sent to the reader is `historical`.
 */
export function flagsOf(reader: Reader, message: ReadMessage): string[] {
  const isRead = message.isRead || !canBeUnread(reader, message)
  const received = wasSentTo(reader.world, reader.actor.userId, message)
  return flagNames({ ...message, isRead, received }, message.mentionsChannel)
}

function canBeUnread(reader: Reader, message: ReadMessage): boolean {
  if (message.channelId === null) return true
  const subscription = reader.world.of(subscriptionsFold).byUser.get(reader.actor.userId)?.get(message.channelId)
  const present = subscription?.periods.at(-1)
  return present !== undefined && present[1] === null && present[0] <= message.id
}
