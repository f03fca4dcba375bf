import type { Tx } from '../../kernel/transaction.ts'
import { STATISTICS_LIMIT } from './contract.ts'
import { DAY_SECONDS } from './queries.ts'

/** Messages counted per transaction. Counting them locks the organization for a few milliseconds. */
const MESSAGES_PER_PAGE = 2_000
const ORGANIZATION_INTERVAL_SECONDS = 600

/** Counts each person once a day: in message order, comparing with the person's last written day is enough. */
const COUNT_MESSAGE_PAGE = `
  with page as materialized (
    select id, date_sent / ${DAY_SECONDS} as day, channel_id, sender_id from messages
    where organization_id = $1 and id > $2 order by id limit $3),
  of_channels as (
    insert into daily_channels as c (organization_id, day, channel_id, messages)
    select $1, day, channel_id, count(*) from page where day > $4 and channel_id is not null group by day, channel_id
    on conflict (organization_id, day, channel_id) do update set messages = c.messages + excluded.messages),
  newly as (
    select page.day, page.sender_id as user_id from page
    join users on users.organization_id = $1 and users.id = page.sender_id and users.bot_type is null
    left join last_written_days l on l.organization_id = $1 and l.user_id = page.sender_id
    where page.day > $4 and (l.day is null or l.day < page.day)
    group by page.day, page.sender_id),
  last_days as (
    insert into last_written_days (organization_id, user_id, day)
    select $1, user_id, max(day) from newly group by user_id
    on conflict (organization_id, user_id) do update set day = excluded.day),
  totals as (
    insert into daily_totals as t (organization_id, day, channel_messages, direct_messages, people)
    select $1, day, count(channel_id), count(*) - count(channel_id),
      (select count(*) from newly where newly.day = page.day)
    from page where day > $4 group by day
    on conflict (organization_id, day) do update set
      channel_messages = t.channel_messages + excluded.channel_messages,
      direct_messages = t.direct_messages + excluded.direct_messages,
      people = t.people + excluded.people)
  select count(*)::int as messages, coalesce(max(id), $2) as "lastId" from page`

export async function countMessagePage(tx: Tx): Promise<boolean> {
  const known = await tx.db
    .selectFrom('counted_messages')
    .select('last_id')
    .where('organization_id', '=', tx.organizationId)
    .executeTakeFirst()
  const oldest = Math.floor(tx.now / DAY_SECONDS) - STATISTICS_LIMIT.most
  const before = known?.last_id ?? 0
  const values = [tx.organizationId, before, MESSAGES_PER_PAGE, oldest]
  const [page] = await tx.db.rows<{ messages: number; lastId: number }>('count_messages', COUNT_MESSAGE_PAGE, values)
  const hasMore = page?.messages === MESSAGES_PER_PAGE
  const counted = {
    last_id: page?.lastId ?? before,
    position: tx.organization.position,
    due_at: hasMore ? tx.now : tx.now + ORGANIZATION_INTERVAL_SECONDS,
  }
  await tx.db
    .insertInto('counted_messages')
    .values({ organization_id: tx.organizationId, ...counted })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(counted))
    .execute()
  if (!hasMore) await deleteOldestDays(tx, oldest)
  return hasMore
}

async function deleteOldestDays(tx: Tx, oldest: number): Promise<void> {
  for (const table of ['daily_totals', 'daily_channels', 'last_written_days'] as const) {
    await tx.db.deleteFrom(table).where('organization_id', '=', tx.organizationId).where('day', '<=', oldest).execute()
  }
}
