import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { channelById } from '../channels/queries/index.ts'
import { canSeeChannel } from '../channels/rules/index.ts'
import { isAdministrator } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import { MAX_LISTED_CHANNELS } from './contract.ts'

export const DAY_SECONDS = 86_400

const DAILY_TOTALS = `
  select days.day, coalesce(channel_messages, 0) as channel_messages, coalesce(direct_messages, 0) as direct_messages,
    coalesce(people, 0) as people
  from generate_series($2::int, $3::int) as days (day)
  left join daily_totals t on t.organization_id = $1 and t.day = days.day order by days.day`

const CHANNEL_TOTALS = `
  select channel_id as stream_id, sum(messages)::int as messages from daily_channels
  where organization_id = $1 and day >= $2 group by channel_id order by messages desc, channel_id`

const ACTIVE_PEOPLE = `
  select count(*)::int as people from last_written_days where organization_id = $1 and day >= $2`

interface StoredDay {
  readonly day: number
  readonly channel_messages: number
  readonly direct_messages: number
  readonly people: number
}

export async function getStatistics(
  { db, organizationId, organization, actor, now }: Reader,
  { days: count }: Input<typeof contract.getStatistics>,
): Promise<Output<typeof contract.getStatistics>> {
  if (!isAdministrator(actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
  const today = Math.floor(now / DAY_SECONDS)
  const first = today - count + 1
  const [days, channels, [all]] = await Promise.all([
    db.rows<StoredDay>('statistics_days', DAILY_TOTALS, [organizationId, first, today]),
    db.rows<{ stream_id: number; messages: number }>('statistics_channels', CHANNEL_TOTALS, [organizationId, first]),
    db.rows<{ people: number }>('statistics_people', ACTIVE_PEOPLE, [organizationId, first]),
  ])
  const known = channels.filter(({ stream_id: id }) => {
    const channel = channelById(organization, id)
    return channel !== undefined && canSeeChannel(organization, actor, channel)
  })
  return {
    time_zone: 'UTC',
    days: days.map(({ day, ...numbers }) => ({ date: dateOf(day), ...numbers })),
    channels: known.slice(0, MAX_LISTED_CHANNELS),
    people: all?.people ?? 0,
  }
}

function dateOf(day: number): string {
  return new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10)
}

const MAX_DUE_ORGANIZATIONS = 20

const ORGANIZATIONS_TO_COUNT = `
  select o.id as "organizationId", 0 as id from organizations o
  join organization_settings s on s.organization_id = o.id and not s.deactivated
  left join counted_messages c on c.organization_id = o.id
  where c.due_at is null or (c.due_at <= $1 and c.position < o.position)
  order by c.due_at nulls first limit $2`

export async function dueCounts(db: Db, now: number): Promise<DueJob[]> {
  return db.rows('due_counts', ORGANIZATIONS_TO_COUNT, [now, MAX_DUE_ORGANIZATIONS])
}
