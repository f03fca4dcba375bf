import { caseKey } from '../../kernel/case-key.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import type { OrganizationState, Projection } from '../../kernel/projection.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { channelById } from '../channels/queries/index.ts'
import { settingOf } from '../organizations/queries/index.ts'
import { userById, type UserRow } from '../users/queries/index.ts'
import type * as contract from './contract.ts'
import type { SlowMode } from './contract.ts'
import { isExemptFromSlowMode, requireVisibleChannel, seesSlowTopics, slowModeError } from './rules.ts'

interface SlowPlace {
  /** Null for the whole channel. */
  readonly topic: string | null
  readonly seconds: number
}

interface SlowModeChange extends SlowPlace {
  readonly channelId: number
}

/** Slow modes by channel ID and place key. Kept in memory, because every message to a channel is looked up. */
export type SlowModes = Map<number, Map<string, SlowPlace>>

export const slowModesProjection: Projection<SlowModes, SlowModeChange> = {
  name: 'slow modes',
  takesRights: () => true,
  empty: () => new Map(),
  async load(state, db, organizationId) {
    const rows = await db
      .selectFrom('slow_modes')
      .select(['channel_id as channelId', 'topic', 'seconds'])
      .where('organization_id', '=', organizationId)
      .execute()
    for (const row of rows) slowModesProjection.apply(state, row, 0)
  },
  apply(state, { channelId, topic, seconds }) {
    const places = state.get(channelId) ?? new Map<string, SlowPlace>()
    if (seconds === 0) places.delete(placeKey(topic))
    else places.set(placeKey(topic), { topic, seconds })
    if (places.size === 0) state.delete(channelId)
    else state.set(channelId, places)
  },
}

const WHOLE_CHANNEL = 'channel'

/** Returns the key of a place with slow mode in its channel. `topic` is null for the whole channel. */
export function placeKey(topic: string | null): string {
  return topic === null ? WHOLE_CHANNEL : `topic ${caseKey(topic)}`
}

export function slowModeOf(organization: OrganizationState, channelId: number): SlowMode {
  const places = organization.of(slowModesProjection).get(channelId)
  if (places === undefined) return { seconds: 0, topics: [] }
  const topics = [...places.values()].flatMap(({ topic, seconds }) => (topic === null ? [] : [{ topic, seconds }]))
  return {
    seconds: places.get(WHOLE_CHANNEL)?.seconds ?? 0,
    topics: topics.toSorted((one, other) => (one.topic < other.topic ? -1 : 1)),
  }
}

/** Returns 0 if the topic, in its stored spelling, has no slow mode of its own. */
export function secondsOfTopic({ topics }: SlowMode, topic: string): number {
  return topics.find((one) => one.topic === topic)?.seconds ?? 0
}

/** The wait that a message starts for its sender in slow mode. */
export interface Turn {
  readonly channelId: number
  readonly place: string
  /** The sender or, for a bot, its owner: a person and their bots share turns. */
  readonly userId: number
  readonly seconds: number
}

/** Returns undefined where the sender need not wait. */
export function turnFor(
  organization: OrganizationState,
  senderId: number,
  channelId: number | null,
  topic: string,
): Turn | undefined {
  const slowModes = organization.of(slowModesProjection)
  const places = channelId === null || slowModes.size === 0 ? undefined : slowModes.get(channelId)
  if (channelId === null || places === undefined) return undefined
  const place = places.has(placeKey(topic)) ? placeKey(topic) : WHOLE_CHANNEL
  const seconds = places.get(place)?.seconds
  const [person, channel] = [personBehind(organization, senderId), channelById(organization, channelId)]
  if (seconds === undefined || person === undefined || channel === undefined) return undefined
  if (isExemptFromSlowMode(organization, { userId: person.id, role: person.role }, channel)) return undefined
  return { channelId, place, userId: person.id, seconds }
}

/** Saves slow work for a message that `takeTurn` would refuse. @throws ApiError SLOW_MODE */
export async function requireTurn(
  { organization, db }: Pick<Reader, 'organization' | 'db'>,
  senderId: number,
  channelId: number,
  topic: string,
): Promise<void> {
  const turn = turnFor(organization, senderId, channelId, topic)
  if (turn === undefined) return
  const [taken] = await db.rows<{ sent_at: number }>(
    'turn_of',
    `select sent_at from slow_mode_turns
     where organization_id = $1 and channel_id = $2 and place = $3 and user_id = $4`,
    [organization.id, channelId, turn.place, turn.userId],
  )
  const waitSeconds = taken === undefined ? 0 : taken.sent_at + turn.seconds - Math.floor(Date.now() / 1000)
  if (waitSeconds > 0) throw slowModeError(waitSeconds, channelId)
}

/** Returns a bot's owner; undefined for bots without one, such as system bots. */
export function personBehind(organization: OrganizationState, userId: number): UserRow | undefined {
  const user = userById(organization, userId)
  if (user === undefined || user.botType === null) return user
  return user.botOwnerId === null ? undefined : userById(organization, user.botOwnerId)
}

/**
 * Takes turns for the rows of the relation `turns`, one per person and place. Uses $organization and $now. The relation
 * `turn` then has `refusals` greater than 0 where the person has to wait until `sent_at` and the seconds have passed.
 * The organization must be locked: rows of concurrent statements would otherwise be locked in different orders.
 */
export const takeTurnsSql = ({ turns }: { readonly turns: string }): string => `
turn as (
  insert into slow_mode_turns as t (organization_id, channel_id, place, user_id, seconds, sent_at)
  select $organization::bigint, channel_id, place, user_id, seconds, $now::bigint from ${turns}
  on conflict (organization_id, channel_id, place, user_id) do update set
    seconds = excluded.seconds,
    sent_at = case when t.sent_at + excluded.seconds <= excluded.sent_at then excluded.sent_at else t.sent_at end,
    refusals = case when t.sent_at + excluded.seconds <= excluded.sent_at then 0 else t.refusals + 1 end
  returning t.channel_id, t.place, t.user_id, t.sent_at, t.refusals)`

interface LockDownState {
  /** UNIX seconds; null for no lock-down. */
  endsAt: number | null
}

export const lockDownProjection: Projection<LockDownState, LockDownState> = {
  name: 'lock-down',
  takesRights: () => true,
  empty: () => ({ endsAt: null }),
  async load(state, db, organizationId) {
    const row = await db
      .selectFrom('lock_downs')
      .select('ends_at')
      .where('organization_id', '=', organizationId)
      .executeTakeFirst()
    state.endsAt = row?.ends_at ?? null
  },
  apply(state, { endsAt }) {
    state.endsAt = endsAt
  },
}

/** Ends in time even if the job that announces the end is late. */
export function isLockedDown(organization: OrganizationState, now: number): boolean {
  const { endsAt } = organization.of(lockDownProjection)
  return endsAt !== null && endsAt > now
}

export async function dueLockDowns(db: Db, now: number): Promise<DueJob[]> {
  return db.rows<DueJob>(
    'due_lock_downs',
    `select l.organization_id as "organizationId", 0 as id from lock_downs l
     join organization_settings o on o.organization_id = l.organization_id and not o.deactivated
     where l.ends_at <= $1`,
    [now],
  )
}

export async function lockDownSnapshot(_db: Db, { organization, form }: Viewer): Promise<Record<string, unknown>> {
  const { endsAt } = organization.of(lockDownProjection)
  return Promise.resolve(form.capabilities.community ? { lock_down: endsAt } : {})
}

const NEWCOMER_SETTING_NAMES = [
  'newcomer_messages',
  'newcomer_days',
  'newcomer_limit_links',
  'newcomer_limit_mentions',
  'newcomer_limit_direct_messages',
  'newcomer_limit_uploads',
  'newcomer_limits_for_invited',
] as const

export function getNewcomerSettings({ organization }: Reader): Output<typeof contract.getNewcomerSettings> {
  // Safe: an object with these names, each with the value of its setting.
  return Object.fromEntries(NEWCOMER_SETTING_NAMES.map((name) => [name, settingOf(organization, name)])) as Output<
    typeof contract.getNewcomerSettings
  >
}

export async function getSlowMode(
  { organization, organizationId, db, actor, now }: Reader,
  { stream_id: channelId }: Input<typeof contract.getSlowMode>,
): Promise<Output<typeof contract.getSlowMode>> {
  const channel = requireVisibleChannel(organization, actor, channelId)
  const { seconds, topics } = slowModeOf(organization, channelId)
  const visible = seesSlowTopics(organization, actor, channel) ? topics : []
  const person = personBehind(organization, actor.userId)
  if (seconds === 0 && topics.length === 0) return { seconds, topics, turns: [] }
  const turns = await db.rows<{ place: string; sent_at: number }>(
    'slow_mode_turns',
    'select place, sent_at from slow_mode_turns where organization_id = $1 and channel_id = $2 and user_id = $3',
    [organizationId, channelId, person?.id ?? actor.userId],
  )
  const places = [null, ...visible.map(({ topic }) => topic)]
  return {
    seconds,
    topics: visible,
    turns: places.flatMap((topic) => {
      const turn = turns.find(({ place }) => place === placeKey(topic))
      return turn === undefined ? [] : [{ topic, seconds_ago: Math.max(now - turn.sent_at, 0) }]
    }),
  }
}
