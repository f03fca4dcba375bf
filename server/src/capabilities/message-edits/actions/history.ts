import type { ActorTx, Tx, SharedTx } from '../../../kernel/transaction.ts'
import { topicNameOf } from '../../messages/actions/change.ts'
import type { Move } from './plan.ts'

/** Copies the topic's moves to messages that are about to leave the topic. */
export async function copyTopicMoves(tx: Tx, topicId: number, messageIds: readonly number[]): Promise<void> {
  await tx.db.rows(
    'take_history_along',
    `insert into message_edits as own
       (organization_id, message_id, position, user_id, date_edited, prev_topic, topic, prev_channel_id, channel_id)
     select $1, m.id, t.position, t.user_id, t.date_edited, t.prev_topic, t.topic, t.prev_channel_id, t.channel_id
     from unnest($3::bigint[]) as m(id)
     join topic_moves t on t.organization_id = $1 and t.topic_id = $2 and t.position > greatest(m.id, coalesce((
       select max(e.position) from message_edits e
       where e.organization_id = $1 and e.message_id = m.id and e.topic is not null), 0))
     on conflict (organization_id, message_id, position) do update
     set prev_topic = excluded.prev_topic, topic = excluded.topic,
         prev_channel_id = excluded.prev_channel_id, channel_id = excluded.channel_id`,
    [tx.organizationId, topicId, messageIds],
  )
}

export async function recordEditHistory(
  tx: ActorTx,
  { from, to, message, names, topic }: Move,
  position: number,
  subject: { readonly topicId: number } | { readonly messageIds: readonly number[] },
): Promise<void> {
  const channels = to.id === from.id ? [null, null] : [from.id, to.id]
  const common = [tx.organizationId, position, tx.actor.userId, tx.now, topic, ...channels]
  if ('topicId' in subject) {
    await tx.db.rows(
      'insert_topic_move',
      `insert into topic_moves
         (organization_id, topic_id, position, user_id, date_edited, prev_topic, topic, prev_channel_id, channel_id)
       values ($1, $8, $2, $3, $4, $9, $5, $6, $7)`,
      [...common, subject.topicId, names.name],
    )
    return
  }
  await tx.db.rows(
    'insert_message_moves',
    `insert into message_edits as own
       (organization_id, message_id, position, user_id, date_edited, prev_topic, topic, prev_channel_id, channel_id)
     select $1, id, $2, $3, $4, prev_topic, $5, $6, $7 from unnest($8::bigint[], $9::text[]) as m(id, prev_topic)
     on conflict (organization_id, message_id, position) do update
     set prev_topic = excluded.prev_topic, topic = excluded.topic,
         prev_channel_id = excluded.prev_channel_id, channel_id = excluded.channel_id`,
    [...common, subject.messageIds, subject.messageIds.map((id) => topicNameOf(names, id))],
  )
  await deleteMovesOfEmptyTopic(tx, message.topicId)
}

export async function deleteEditHistory(tx: Tx, topicId: number, messageIds: readonly number[]): Promise<void> {
  await tx.db.rows(
    'delete_history',
    'delete from message_edits where organization_id = $1 and message_id = any($2::bigint[])',
    [tx.organizationId, messageIds],
  )
  await deleteMovesOfEmptyTopic(tx, topicId)
}

/** Deletes the moves of an empty topic. Messages that left the topic have their own copies. */
async function deleteMovesOfEmptyTopic(tx: Tx, topicId: number): Promise<void> {
  await tx.db.rows(
    'delete_moves_of_empty_topic',
    `delete from topic_moves where organization_id = $1 and topic_id = $2
     and not exists (select 1 from topics where organization_id = $1 and id = $2)`,
    [tx.organizationId, topicId],
  )
}

/** Previous contents stored per message, besides the first and the current. */
export const MAX_PREVIOUS_CONTENTS = 100
export const MAX_PREVIOUS_CONTENT_BYTES = 1_000_000

export async function deleteSurplusContents(tx: SharedTx, messageId: number): Promise<void> {
  await tx.db.rows(
    'delete_surplus_states',
    `with state as (
       select position, row_number() over (order by position) as place,
         row_number() over (order by position desc) as age,
         sum(octet_length(prev_content) + octet_length(prev_rendered_content)) over (order by position desc) as bytes
       from message_edits where organization_id = $1 and message_id = $2 and prev_content is not null),
     surplus as (select position from state where place > 1 and (age > $3 or bytes > $4)),
     emptied as (
       update message_edits e set prev_content = null, prev_rendered_content = null from surplus s
       where e.organization_id = $1 and e.message_id = $2 and e.position = s.position and e.topic is not null)
     delete from message_edits e using surplus s
     where e.organization_id = $1 and e.message_id = $2 and e.position = s.position and e.topic is null`,
    [tx.organizationId, messageId, MAX_PREVIOUS_CONTENTS, MAX_PREVIOUS_CONTENT_BYTES],
  )
}
