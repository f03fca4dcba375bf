import type { Db } from '../../kernel/transaction.ts'
import type { Reaction } from '../messages/contract/index.ts'

/** The reactions of messages, each in the order in which they were added, in one statement. */
export async function reactionsOf(
  db: Db,
  organizationId: number,
  messageIds: readonly number[],
): Promise<Map<number, Reaction[]>> {
  const byMessage = new Map<number, Reaction[]>()
  if (messageIds.length === 0) return byMessage
  const rows = await db.rows<Reaction & { message_id: number }>(
    'reactions_of',
    `select message_id, emoji_name, emoji_code, reaction_type, user_id from reactions
     where organization_id = $1 and message_id = any($2::bigint[]) order by message_id, position`,
    [organizationId, messageIds],
  )
  for (const { message_id, ...reaction } of rows) {
    const known = byMessage.get(message_id)
    if (known === undefined) byMessage.set(message_id, [reaction])
    else known.push(reaction)
  }
  return byMessage
}
