import type { Db } from '../../kernel/transaction.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { hostSql, fairPageSql, type ConcurrencyLimits } from '../../platform/jobs/concurrency-limits.ts'
import type { WebhookTrigger } from './rules.ts'

export interface StoredDelivery {
  readonly id: number
  readonly botId: number
  readonly messageId: number
  readonly trigger: WebhookTrigger
  readonly attempts: number
}

export interface StoredFailure {
  readonly botId: number
  readonly untold: number
  readonly messageId: number
  readonly reason: string
}

/** Also limits deliveries per bot owner, because one person can own all bots of an organization. */
export const CONCURRENCY_LIMITS: ConcurrencyLimits = {
  maxUnits: 96,
  maxUnitsPerOrganization: 24,
  maxUnitsPerHost: 18,
  maxUnitsPerPerson: 12,
  maxUnitsPerPersonAndHost: 6,
}

/** Selects the first message of each idle bot, so that a slow bot delays no other bot. Limits are per bot owner. */
const DUE_DELIVERIES = fairPageSql(
  `select first.organization_id, first.id, first.due_at, coalesce(bot.bot_owner_id, bot.id) as person,
     coalesce(${hostSql('service.base_url')}, '') as host
   from (
     select distinct on (organization_id, bot_id) organization_id, id, bot_id, due_at
     from outgoing_webhook_deliveries where due_at <= $1 order by organization_id, bot_id, due_at, id
   ) first
   join organization_settings o on o.organization_id = first.organization_id and not o.deactivated
   join users bot on bot.organization_id = first.organization_id and bot.id = first.bot_id
   left join bot_services service on service.organization_id = bot.organization_id and service.user_id = bot.id
   where not exists (
     select from outgoing_webhook_deliveries begun
     where begun.organization_id = first.organization_id and begun.bot_id = first.bot_id and begun.begun_until > $1)`,
  CONCURRENCY_LIMITS,
)

export async function dueDeliveries(db: Db, now: number, full: readonly string[]): Promise<DueJob[]> {
  return db.rows<DueJob>('due_webhook_deliveries', DUE_DELIVERIES, [now, full])
}

const DUE_DELIVERY = `
  select id, bot_id as "botId", message_id as "messageId", trigger, attempts
  from outgoing_webhook_deliveries where organization_id = $1 and id = $2 and due_at <= $3`

export async function dueDelivery(
  db: Db,
  organizationId: number,
  id: number,
  now: number,
): Promise<StoredDelivery | undefined> {
  const [row] = await db.rows<StoredDelivery>('due_webhook_delivery', DUE_DELIVERY, [organizationId, id, now])
  return row
}

const DUE_FAILURES = `
  select f.organization_id as "organizationId", f.bot_id as id from outgoing_webhook_failures f
  join organization_settings o on o.organization_id = f.organization_id and not o.deactivated
  where f.untold > 0 and f.tell_at <= $1 order by f.tell_at limit 100`

export async function dueFailures(db: Db, now: number): Promise<DueJob[]> {
  return db.rows<DueJob>('due_webhook_failures', DUE_FAILURES, [now])
}

const UNREPORTED_FAILURE = `
  select bot_id as "botId", untold, message_id as "messageId", reason
  from outgoing_webhook_failures where organization_id = $1 and bot_id = $2 and untold > 0 and tell_at <= $3`

export async function unreportedFailure(
  db: Db,
  organizationId: number,
  botId: number,
  now: number,
): Promise<StoredFailure | undefined> {
  const [row] = await db.rows<StoredFailure>('untold_webhook_failure', UNREPORTED_FAILURE, [organizationId, botId, now])
  return row
}
