import type { Kysely } from 'kysely'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Tables } from '../../../kernel/tables.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { LoggedEvent } from '../../../kernel/event-binding.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { execute } from '../../../platform/db/database.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import { VISIBILITY, type UserTopic } from '../contract/user-topics.ts'

/** A user's choices for topics, in the order in which they were made. */
export async function userTopicsSnapshot(db: Kysely<Tables>, viewer: Viewer): Promise<Record<string, unknown>> {
  const chosen = await execute<UserTopic>(
    db,
    `select channel_id as stream_id, topic_name, last_updated, visibility_policy from user_topics
     where organization_id = $1 and user_id = $2 order by last_updated, channel_id, name_key`,
    [viewer.organization.id, viewer.userId],
  )
  return { user_topics: chosen.map((topic) => named(topic, viewer)) }
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

export function userTopicChangedToClient({ payload }: LoggedEvent, viewer: Viewer): Record<string, unknown> {
  // The payload is the declared one.
  return { ...named(payload as UserTopic, viewer) }
}

function named(topic: UserTopic, { form }: Viewer): UserTopic {
  return { ...topic, topic_name: presentTopic(topic.topic_name, form.capabilities.empty_topic_name) }
}
