import type { Kysely } from 'kysely'
import { caseKey } from '../../kernel/case-key.ts'
import type { Tables } from '../../kernel/tables.ts'
import type { Tx } from '../../kernel/transaction.ts'
import { execute } from '../../platform/db/database.ts'
import { VISIBILITY, type UserTopic } from './contract.ts'

/** A user's choices for topics, in the order in which they were made. */
export async function userTopicsOf(db: Kysely<Tables>, organizationId: number, userId: number): Promise<UserTopic[]> {
  return execute<UserTopic>(
    db,
    `select channel_id as stream_id, topic_name, last_updated, visibility_policy from user_topics
     where organization_id = $1 and user_id = $2 order by last_updated, channel_id, name_key`,
    [organizationId, userId],
  )
}

/** The users who follow a topic. */
export async function followersOf(tx: Tx, channelId: number, topic: string): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('user_topics')
    .select('user_id')
    .where('organization_id', '=', tx.organizationId)
    .where('channel_id', '=', channelId)
    .where('name_key', '=', caseKey(topic))
    .where('visibility_policy', '=', VISIBILITY.followed)
    .execute()
  return rows.map((row) => row.user_id)
}
