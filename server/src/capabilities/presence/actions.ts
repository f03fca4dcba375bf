import { everyone } from '../../kernel/audience.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { waitForTurn, turnOwner } from '../../kernel/pauses.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Call } from '../../platform/request.ts'
import type { BatchKind } from '../../platform/log/batch-writer.ts'
import { nonSystemUsers } from '../users/queries/index.ts'
import { knownUser } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import { PRESENCE_HISTORY_DAYS, presenceChanged } from './contract.ts'
import {
  AWAY_AFTER_SECONDS,
  daysAgo,
  lastUpdateIdOf,
  presenceOf,
  presencesSince,
  presentModernPresence,
  presentPresences,
  type StoredPresence,
} from './queries/index.ts'
import { hasPresence } from './rules.ts'

/** Each tab reports about once a minute. A report this soon after the user's previous report is not written. */
const WRITE_INTERVAL_SECONDS = 50
/** In larger organizations, sending every change to every user would take quadratic time. */
const MAX_NOTIFIED_PEOPLE = 1_000
const MAX_ROWS_WITHOUT_YIELD = 500

type PresenceReport = Pick<StoredPresence, 'userId' | 'activeAt' | 'idleAt'>

const WRITE_PRESENCES = `
with clock as (
  insert into presence_clocks as c (organization_id, last_update_id) values ($1, 1)
  on conflict (organization_id) do update set last_update_id = c.last_update_id + 1 returning last_update_id)
insert into presences as p (organization_id, user_id, active_at, idle_at, update_id)
select $1, i.user_id, max(i.active_at), max(i.idle_at), clock.last_update_id
from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as i(user_id, active_at, idle_at) cross join clock
group by i.user_id, clock.last_update_id order by i.user_id
on conflict (organization_id, user_id) do update
set active_at = greatest(p.active_at, excluded.active_at), idle_at = greatest(p.idle_at, excluded.idle_at),
    update_id = excluded.update_id`

/** Locks a row of `presence_clocks` until the commit, so that no client sees a later update before an earlier one. */
const presenceBatch: BatchKind<PresenceReport, void> = {
  name: 'presence',
  maxItems: 1_000,
  async write(line, organization, pings) {
    await line.rows('write_presences', WRITE_PRESENCES, [
      organization.id,
      pings.map((ping) => ping.userId),
      pings.map((ping) => ping.activeAt),
      pings.map((ping) => ping.idleAt),
    ])
    return { base: organization.position, head: organization.position, rows: [], results: pings.map(() => undefined) }
  },
}

export async function updatePresence(
  call: Call,
  input: Input<typeof contract.updatePresence>,
): Promise<Output<typeof contract.updatePresence>> {
  const { log, actor, reads } = call
  const now = Math.floor(Date.now() / 1000)
  const user = knownUser(log.organization, actor.userId)
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'This endpoint does not accept bot requests.')
  if (hasPresence(log.organization, user)) {
    await recordPresenceReport(call, input.status === 'active' || input.new_user_input, now)
  }
  if (input.ping_only) return {}
  const { id: organizationId } = log.organization
  const since = daysAgo(input.history_limit_days ?? PRESENCE_HISTORY_DAYS, now)
  const rows = await presencesSince(reads, organizationId, input.last_update_id ?? -1, since)
  // Presenting many rows takes milliseconds, so an account's concurrent requests take turns.
  if (rows.length > MAX_ROWS_WITHOUT_YIELD) await waitForTurn(turnOwner(organizationId, actor.userId))
  const form = input.slim_presence || input.last_update_id !== undefined ? 'modern' : 'legacy'
  return {
    presences: presentPresences(log.organization, actor, rows, form),
    presence_last_update_id: lastUpdateIdOf(rows, input.last_update_id),
    server_timestamp: now,
  }
}

async function recordPresenceReport({ log, actor, reads }: Call, isActive: boolean, now: number): Promise<void> {
  const before = await presenceOf(reads, log.organization.id, actor.userId)
  const awayFor = now - (before?.activeAt ?? 0)
  const isNew = before === undefined || now - before.idleAt >= WRITE_INTERVAL_SECONDS
  if (!isNew && !(isActive && awayFor >= WRITE_INTERVAL_SECONDS)) return
  const ping = { userId: actor.userId, activeAt: isActive ? now : (before?.activeAt ?? 0), idleAt: now }
  await log.batch(presenceBatch, ping)
  const isBack = before === undefined || (isActive && awayFor > AWAY_AFTER_SECONDS)
  if (!isBack || nonSystemUsers(log.organization).length > MAX_NOTIFIED_PEOPLE) return
  log.publishEphemeral(presenceChanged, { presences: { [actor.userId]: presentModernPresence(ping) } }, everyone)
}
