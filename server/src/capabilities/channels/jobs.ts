import type { Tx } from '../../kernel/transaction.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { changeChannel } from './actions/emit.ts'
import { channelsProjection } from './queries/index.ts'

const DAY_SECONDS = 86_400
const TRAFFIC_PERIOD_DAYS = 28
const MIN_CHANNEL_AGE_DAYS = 7
const RECENTLY_ACTIVE_DAYS = 180
const POLL_INTERVAL_SECONDS = 600
const ORGANIZATIONS_PER_POLL = 100

export const countTrafficDaily: Job = {
  name: 'channel traffic',
  everySeconds: POLL_INTERVAL_SECONDS,
  due: async (db, now) => {
    const rows = await db.rows<{ id: number }>(
      'channel_traffic_due',
      `select o.id from organizations o
       join organization_settings s on s.organization_id = o.id and not s.deactivated
       left join channel_traffic_counted c on c.organization_id = o.id
       where coalesce(c.counted_on, -1) < $1 order by o.id limit ${ORGANIZATIONS_PER_POLL}`,
      [dayNumberOf(now)],
    )
    return rows.map(({ id }) => ({ organizationId: id, id }))
  },
  run: async ({ log }) => log.write(async (tx) => countTraffic(tx, tx.now)),
}

/** Counts messages once a day, and otherwise does nothing. `now` in UNIX seconds. */
export async function countTraffic(tx: Tx, now: number): Promise<void> {
  const today = dayNumberOf(now)
  const [last] = await tx.db.rows<{ counted_to: number; counted_on: number }>(
    'traffic_counted',
    'select counted_to, counted_on from channel_traffic_counted where organization_id = $1',
    [tx.organizationId],
  )
  if (last !== undefined && last.counted_on >= today) return
  await countMessages(tx, last?.counted_to ?? 0, today)
  const busy = await trafficByChannel(tx, today)
  for (const channel of tx.organization.of(channelsProjection).byId.values()) {
    const { messages = 0, newest = null } = busy.get(channel.id) ?? {}
    const weeklyTraffic = weeklyAverage(messages, today - dayNumberOf(channel.dateCreated))
    const isRecentlyActive = now - (newest ?? channel.dateCreated) <= RECENTLY_ACTIVE_DAYS * DAY_SECONDS
    if (weeklyTraffic === channel.weeklyTraffic && isRecentlyActive === channel.isRecentlyActive) continue
    await changeChannel(tx, channel, { ...channel, weeklyTraffic, isRecentlyActive })
  }
}

async function countMessages(tx: Tx, countedTo: number, today: number): Promise<void> {
  await tx.db.rows(
    'count_traffic',
    `insert into channel_traffic as t (organization_id, channel_id, day, messages)
     select $1, channel_id, date_sent / ${DAY_SECONDS}, count(*) from messages
     where organization_id = $1 and id > $2 and channel_id is not null group by 2, 3
     on conflict (organization_id, channel_id, day) do update set messages = t.messages + excluded.messages`,
    [tx.organizationId, countedTo],
  )
  await tx.db.rows('delete_old_traffic', 'delete from channel_traffic where organization_id = $1 and day < $2', [
    tx.organizationId,
    today - TRAFFIC_PERIOD_DAYS,
  ])
  await tx.db.rows(
    'traffic_is_counted',
    `insert into channel_traffic_counted (organization_id, counted_to, counted_on) values ($1, $2, $3)
     on conflict (organization_id) do update set counted_to = excluded.counted_to, counted_on = excluded.counted_on`,
    [tx.organizationId, tx.organization.position, today],
  )
}

interface ChannelTraffic {
  readonly id: number
  readonly messages: number
  readonly newest: number | null
}

async function trafficByChannel(tx: Tx, today: number): Promise<Map<number, ChannelTraffic>> {
  const rows = await tx.db.rows<ChannelTraffic>(
    'channel_traffic',
    `select c.id,
       (select coalesce(sum(t.messages), 0)::int from channel_traffic t
        where t.organization_id = $1 and t.channel_id = c.id and t.day >= $2 and t.day < $3) as messages,
       (select m.date_sent from messages m where m.organization_id = $1 and m.channel_id = c.id
        order by m.id desc limit 1) as newest
     from channels c where c.organization_id = $1`,
    [tx.organizationId, today - TRAFFIC_PERIOD_DAYS, today],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Rounds to two significant digits. Returns null for young channels. */
function weeklyAverage(messages: number, ageDays: number): number | null {
  if (ageDays < MIN_CHANNEL_AGE_DAYS) return null
  const mean = Math.floor((messages * 7) / Math.min(ageDays, TRAFFIC_PERIOD_DAYS))
  const seen = mean === 0 && messages > 0 ? 1 : mean
  return Number(seen.toPrecision(2))
}

function dayNumberOf(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS)
}
