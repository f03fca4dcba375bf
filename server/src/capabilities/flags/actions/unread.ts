import type { SharedActorTx, SharedTx } from '../../../kernel/transaction.ts'

/** For each message, marks all IDs after the topic's previous message, up to its own, as read. */
export async function markRead(tx: SharedActorTx, messageIds: readonly number[]): Promise<void> {
  await tx.db.rows(
    'mark_read',
    `with span as (
       select m.topic_id, int8range(coalesce((
         select p.id from messages p
         where p.organization_id = $1 and p.topic_id = m.topic_id and p.id < m.id order by p.id desc limit 1), 0) + 1,
         m.id + 1) as span
       from messages m where m.organization_id = $1 and m.id = any($3::bigint[]))
     insert into topic_reads as x (organization_id, user_id, topic_id, read)
     select $1, $2, topic_id, range_agg(span) from span group by topic_id order by topic_id
     on conflict (organization_id, user_id, topic_id) do update set read = x.read + excluded.read`,
    [tx.organizationId, tx.actor.userId, messageIds],
  )
}

export async function markReadFor(tx: SharedTx, messageId: number, userIds: readonly number[]): Promise<void> {
  await tx.db.rows(
    'mark_read_for',
    `insert into topic_reads as x (organization_id, user_id, topic_id, read)
     select $1, reader.user_id, m.topic_id, int8multirange(int8range(coalesce((
       select p.id from messages p
       where p.organization_id = $1 and p.topic_id = m.topic_id and p.id < m.id order by p.id desc limit 1), 0) + 1,
       m.id + 1))
     from messages m cross join unnest($3::bigint[]) as reader(user_id)
     where m.organization_id = $1 and m.id = $2 order by reader.user_id
     on conflict (organization_id, user_id, topic_id) do update set read = x.read + excluded.read`,
    [tx.organizationId, messageId, userIds],
  )
}

export async function markTopicsRead(tx: SharedActorTx, topicIds: readonly number[]): Promise<void> {
  await tx.db.rows(
    'mark_topics_read',
    `insert into topic_reads as x (organization_id, user_id, topic_id, read)
     select $1, $2, id, int8multirange(int8range(0, max_id + 1)) from topics
     where organization_id = $1 and id = any($3::bigint[]) order by id
     on conflict (organization_id, user_id, topic_id) do update set read = x.read + excluded.read`,
    [tx.organizationId, tx.actor.userId, topicIds],
  )
}

export async function markEverythingRead(tx: SharedActorTx): Promise<void> {
  await tx.db.rows(
    'mark_everything_read',
    `insert into user_reads (organization_id, user_id, read)
     values ($1, $2, int8multirange(int8range(0, $3::bigint + 1)))
     on conflict (organization_id, user_id) do update set read = excluded.read`,
    [tx.organizationId, tx.actor.userId, tx.organization.position],
  )
}

/** Removes the messages' positions from both levels of the read state: the user's, and each topic's. */
export async function markUnread(tx: SharedActorTx, messageIds: readonly number[]): Promise<void> {
  const parameters = [tx.organizationId, tx.actor.userId, messageIds]
  await tx.db.rows(
    'mark_unread_of_user',
    `update user_reads u set read = u.read - gone.read
     from (select range_agg(int8range(id, id + 1)) as read from unnest($3::bigint[]) as id) gone
     where u.organization_id = $1 and u.user_id = $2 and u.read && gone.read`,
    parameters,
  )
  await tx.db.rows(
    'mark_unread_in_topics',
    `update topic_reads r set read = r.read - gone.read
     from (select m.topic_id, range_agg(int8range(m.id, m.id + 1)) as read from messages m
           where m.organization_id = $1 and m.id = any($3::bigint[]) group by m.topic_id) gone
     where r.organization_id = $1 and r.user_id = $2 and r.topic_id = gone.topic_id and r.read && gone.read`,
    parameters,
  )
}

/** Messages that move to another topic, or along with their topic to another channel. */
export interface MovedMessages {
  readonly messageIds: readonly number[]
  readonly from: { readonly channelId: number; readonly topicId: number }
  readonly to: { readonly channelId: number; readonly topicId: number }
}

/** A message stays unread for users who had not read it. For other subscribers of the new channel, it is read. */
export async function moveReadState(tx: SharedTx, { messageIds, from, to }: MovedMessages): Promise<void> {
  await tx.db.rows(
    'carry_reads',
    `with owned as materialized (
       select id, int8range(greatest(lag(id, 1, 0::bigint) over (order by id), coalesce((
         select p.id from messages p
         where p.organization_id = $1 and p.topic_id = $6 and p.id < moved.id order by p.id desc limit 1), 0)) + 1,
         id + 1) as span
       from unnest($2::bigint[]) as moved(id)),
     everything as materialized (select range_agg(span) as span, min(id) as first_id from owned),
     reader as materialized (
       select s.user_id, target.read as before,
         case when present.since is null then '{}'
           else int8multirange(int8range(present.since, null)) - coalesce(u.read, '{}') - coalesce(source.read, '{}')
         end as unread
       from subscriptions s
       left join lateral (
         select lower(period) as since from subscriptions o cross join lateral unnest(o.periods) as period
         where o.organization_id = $1 and o.user_id = s.user_id and o.channel_id = $3 and upper_inf(period)) present
         on true
       left join user_reads u on u.organization_id = $1 and u.user_id = s.user_id
       left join topic_reads source
         on source.organization_id = $1 and source.user_id = s.user_id and source.topic_id = $4
       left join topic_reads target
         on target.organization_id = $1 and target.user_id = s.user_id and target.topic_id = $6
       where s.organization_id = $1 and s.channel_id = $5 and upper_inf(s.periods)
         and ($3::bigint <> $5::bigint or source.user_id is not null or target.user_id is not null)),
     carried as (
       select reader.user_id, reader.before, coalesce(reader.before, '{}') - everything.span + case
           when isempty(reader.unread * int8multirange(int8range(everything.first_id, null))) then everything.span
           else coalesce((select range_agg(span) from owned where not reader.unread @> owned.id), '{}') end as read
       from reader cross join everything)
     insert into topic_reads (organization_id, user_id, topic_id, read)
     select $1, user_id, $6, read from carried
     where read is distinct from coalesce(before, '{}') order by user_id
     on conflict (organization_id, user_id, topic_id) do update set read = excluded.read`,
    [tx.organizationId, messageIds, from.channelId, from.topicId, to.channelId, to.topicId],
  )
}

export async function deleteTopicReads(tx: SharedTx, topicId: number): Promise<void> {
  await tx.db
    .deleteFrom('topic_reads')
    .where('organization_id', '=', tx.organizationId)
    .where('topic_id', '=', topicId)
    .execute()
}
