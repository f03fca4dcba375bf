import { caseKey } from '../../../kernel/case-key.ts'
import type { SharedTx, Tx, Db } from '../../../kernel/transaction.ts'
import type { ContentToStore } from './prepare.ts'
import { messageInvalidation } from '../queries/index.ts'
import { moveReadState, deleteTopicReads } from '../../flags/actions/unread.ts'
import { indexText, insertWords } from './terms.ts'

/* Callers check permissions and handle audiences and the channel's first message. */

export interface TopicRow {
  readonly id: number
  readonly name: string
}

export async function findTopic(tx: Tx, channelId: number, name: string): Promise<TopicRow | undefined> {
  return tx.db
    .selectFrom('topics')
    .select(['id', 'name'])
    .where('organization_id', '=', tx.organizationId)
    .where('channel_id', '=', channelId)
    .where('name_key', '=', caseKey(name))
    .executeTakeFirst()
}

export interface TopicSpellings {
  readonly name: string
  readonly spelled: ReadonlyMap<number, string>
}

export function topicNameOf({ name, spelled }: TopicSpellings, messageId: number | undefined): string {
  return (messageId === undefined ? undefined : spelled.get(messageId)) ?? name
}

export async function topicSpellingsOf(tx: Tx, topicId: number): Promise<TopicSpellings> {
  const rows = await tx.db.rows<{ name: string; id: number | null; spelling: string }>(
    'topic_names',
    `select t.name, m.id, m.topic_spelling as spelling from topics t
     left join messages m
     on m.organization_id = t.organization_id and m.topic_id = t.id and m.topic_spelling is not null
     where t.organization_id = $1 and t.id = $2`,
    [tx.organizationId, topicId],
  )
  const spelled = rows.flatMap(({ id, spelling }) => (id === null ? [] : [[id, spelling] as const]))
  return { name: rows[0]?.name ?? '', spelled: new Map(spelled) }
}

export async function rewriteContent(
  tx: SharedTx,
  messageId: number,
  { content, renderedContent, facts }: ContentToStore,
): Promise<void> {
  tx.invalidate(messageInvalidation, { message: messageId })
  const { vector, words } = indexText(content)
  await Promise.all([
    insertWords(tx, words),
    tx.db.rows(
      'rewrite_content',
      `update messages set content = $3, rendered_content = $4, mentions_channel = $5, terms = $6
       where organization_id = $1 and id = $2`,
      [tx.organizationId, messageId, content, renderedContent, facts.mentionsChannel, vector],
    ),
    // If the terms did not change, a trigger takes them for those of an older version, and removes them.
    tx.db.rows(
      'keep_terms',
      'update messages set terms = $3 where organization_id = $1 and id = $2 and terms is null',
      [tx.organizationId, messageId, vector],
    ),
  ])
}

export async function rewriteRendering(tx: Tx, messageId: number, renderedContent: string): Promise<void> {
  tx.invalidate(messageInvalidation, { message: messageId })
  await tx.db
    .updateTable('messages')
    .set({ rendered_content: renderedContent })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', messageId)
    .execute()
}

export async function messageIdsInTopic(tx: Tx, topicId: number): Promise<number[]> {
  // Reads a single row with an array, using only an index, because a topic can have very many messages.
  const [row] = await tx.db.rows<{ ids: number[] }>(
    'message_ids_in',
    'select array(select id from messages where organization_id = $1 and topic_id = $2 order by id) as ids',
    [tx.organizationId, topicId],
  )
  return row?.ids ?? []
}

export interface TopicLocation {
  readonly channelId: number
  readonly topicId: number
}

export async function moveTopic(
  tx: Tx,
  from: TopicLocation,
  to: { readonly channelId: number; readonly topic: string },
  messageIds: readonly number[],
): Promise<void> {
  const { topicId } = from
  tx.invalidate(messageInvalidation, { topic: topicId })
  if (to.channelId !== from.channelId) {
    await moveReadState(tx, { messageIds, from, to: { channelId: to.channelId, topicId } })
    await tx.db
      .updateTable('messages')
      .set({ channel_id: to.channelId })
      .where('organization_id', '=', tx.organizationId)
      .where('topic_id', '=', topicId)
      .execute()
  }
  await tx.db
    .updateTable('topics')
    .set({ channel_id: to.channelId, name: to.topic, name_key: caseKey(to.topic) })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', topicId)
    .execute()
  await tx.db
    .updateTable('messages')
    .set({ topic_spelling: null })
    .where('organization_id', '=', tx.organizationId)
    .where('topic_id', '=', topicId)
    .where('topic_spelling', 'is not', null)
    .execute()
}

/** Creates the topic if necessary; all messages get the given spelling. `messageIds` are ascending. */
export async function moveMessages(
  tx: Tx,
  from: TopicLocation,
  to: { readonly channelId: number; readonly topic: string; readonly existing: TopicRow | undefined },
  messageIds: readonly number[],
): Promise<void> {
  const topicId = to.existing?.id ?? (await insertTopic(tx, to, messageIds))
  tx.invalidate(messageInvalidation, { topic: from.topicId })
  await moveReadState(tx, { messageIds, from, to: { channelId: to.channelId, topicId } })
  const spelling = to.existing === undefined || to.existing.name === to.topic ? null : to.topic
  await tx.db.rows(
    'move_messages',
    `update messages set topic_id = $2, channel_id = $3, topic_spelling = $5
     where organization_id = $1 and id = any($4::bigint[])`,
    [tx.organizationId, topicId, to.channelId, messageIds, spelling],
  )
  await updateTopicBounds(tx, topicId)
  if (!(await updateTopicBounds(tx, from.topicId))) await deleteTopicRow(tx, from.topicId)
}

/** A topic disappears with its last message; a conversation remains. */
export async function deleteMessages(
  tx: Tx,
  from: { readonly channelId: number | null; readonly topicId: number },
  messageIds: readonly number[],
): Promise<void> {
  tx.invalidate(messageInvalidation, { topic: from.topicId })
  await tx.db.rows('remove_messages', 'delete from messages where organization_id = $1 and id = any($2::bigint[])', [
    tx.organizationId,
    messageIds,
  ])
  if (await updateTopicBounds(tx, from.topicId)) return
  if (from.channelId === null) await resetConversationBounds(tx, from.topicId)
  else await deleteTopicRow(tx, from.topicId)
}

async function insertTopic(
  tx: Tx,
  to: { readonly channelId: number; readonly topic: string },
  messageIds: readonly number[],
): Promise<number> {
  const [first, last] = [messageIds[0], messageIds.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a topic starts with a message')
  const { id } = await tx.db
    .insertInto('topics')
    .values({
      organization_id: tx.organizationId,
      channel_id: to.channelId,
      name: to.topic,
      name_key: caseKey(to.topic),
      first_id: first,
      max_id: last,
      previous_id: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns whether the topic has messages. */
async function updateTopicBounds(tx: Tx, topicId: number): Promise<boolean> {
  const rows = await tx.db.rows(
    'measure_topic',
    `update topics t set first_id = bounds.first_id, max_id = bounds.max_id
     from (select min(id) as first_id, max(id) as max_id from messages where organization_id = $1 and topic_id = $2) bounds
     where t.organization_id = $1 and t.id = $2 and bounds.first_id is not null returning t.id`,
    [tx.organizationId, topicId],
  )
  return rows.length > 0
}

async function deleteTopicRow(tx: Tx, topicId: number): Promise<void> {
  await deleteTopicReads(tx, topicId)
  await tx.db.deleteFrom('topics').where('organization_id', '=', tx.organizationId).where('id', '=', topicId).execute()
}

async function resetConversationBounds(tx: Tx, topicId: number): Promise<void> {
  await tx.db.rows(
    'empty_conversation',
    `update topics t set first_id = c.id, max_id = c.id
     from conversations c
     where t.organization_id = $1 and t.id = $2 and c.organization_id = $1 and c.topic_id = t.id`,
    [tx.organizationId, topicId],
  )
}

/** Backdates all messages, for demos. No client may have seen them yet. */
export async function backdateMessages(db: Db, days: number): Promise<void> {
  await db.rows(
    'spread_over_days',
    `update messages set date_sent = date_sent - $1::bigint * (last.id - messages.id) / last.id
     from (select max(id) as id from messages) last`,
    [days * 86_400],
  )
}
