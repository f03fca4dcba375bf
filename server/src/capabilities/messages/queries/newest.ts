import type { Db } from '../../../kernel/transaction.ts'
import type { Viewer } from '../../../kernel/viewer.ts'

/** ID of the newest message sent to a user ($2) of an organization ($1), directly or in channels; null if none. */
const NEWEST_RECEIVED_MESSAGE = `select greatest(
  (select max(m.id) from subscriptions s cross join lateral unnest(s.periods) as period
   cross join lateral (
     select id from messages m where m.organization_id = $1 and m.channel_id = s.channel_id
     and m.id >= lower(period) and (upper_inf(period) or m.id < upper(period)) order by id desc limit 1) m
   where s.organization_id = $1 and s.user_id = $2),
  (select max(t.max_id) from conversation_members cm
   join conversations c on c.organization_id = $1 and c.id = cm.conversation_id
   join topics t on t.organization_id = $1 and t.id = c.topic_id
   where cm.organization_id = $1 and cm.user_id = $2 and t.max_id > c.id)) as id`

export async function newestReceivedMessage(db: Db, organizationId: number, userId: number): Promise<number> {
  const [row] = await db.rows<{ id: number | null }>('newest_received_message', NEWEST_RECEIVED_MESSAGE, [
    organizationId,
    userId,
  ])
  return row?.id ?? -1
}

export async function newestMessageSnapshot(
  db: Db,
  { userId, organization }: Viewer,
): Promise<Record<string, unknown>> {
  return { max_message_id: await newestReceivedMessage(db, organization.id, userId) }
}

const MAX_RECENT_CONVERSATIONS = 1_000

const RECENT_CONVERSATIONS = `
  select c.member_ids, t.max_id
  from conversation_members m
  join conversations c on c.organization_id = m.organization_id and c.id = m.conversation_id
  join topics t on t.organization_id = c.organization_id and t.id = c.topic_id
  where m.organization_id = $1 and m.user_id = $2 and t.max_id > c.id
  order by t.max_id desc limit $3`

export async function recentConversationsSnapshot(
  db: Db,
  { userId, organization }: Viewer,
): Promise<Record<string, unknown>> {
  const rows = await db.rows<{ member_ids: number[]; max_id: number }>('recent_conversations', RECENT_CONVERSATIONS, [
    organization.id,
    userId,
    MAX_RECENT_CONVERSATIONS,
  ])
  return {
    recent_private_conversations: rows.map((row) => ({
      user_ids: row.member_ids.filter((memberId) => memberId !== userId),
      max_message_id: row.max_id,
    })),
  }
}
