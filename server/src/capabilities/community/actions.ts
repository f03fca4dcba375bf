import { everyone, type Audience } from '../../kernel/audience.ts'
import { caseKey } from '../../kernel/case-key.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import { numberParameters, orderedValues } from '../../platform/db/parameters.ts'
import type { Channel } from '../channels/queries/index.ts'
import { normalizeRequestedTopic } from '../channels/rules/topics.ts'
import { requireModerator } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import { lockDownUpdated, SLOW_TOPIC_LIMIT, slowModeUpdated } from './contract.ts'
import {
  lockDownProjection,
  placeKey,
  secondsOfTopic,
  slowModeOf,
  slowModesProjection,
  takeTurnsSql,
  turnFor,
} from './queries.ts'
import { requireSlowableChannel, seesSlowTopics, slowModeError } from './rules.ts'

const COMMUNITY_CLIENTS: Audience = { ...everyone, clients: { capability: 'community', has: true } }

export async function updateSlowMode(
  tx: ActorTx,
  input: Input<typeof contract.updateSlowMode>,
): Promise<Record<string, never>> {
  const channel = requireSlowableChannel(tx.organization, tx.actor, input.stream_id)
  const { seconds } = input
  const topic =
    input.topic === undefined
      ? null
      : topicInCharge(tx, channel, normalizeRequestedTopic(tx.organization, tx.actor, input.topic))
  if (secondsAt(tx.organization, channel.id, topic) === seconds) return {}
  const { topics } = slowModeOf(tx.organization, channel.id)
  const isNew = topic !== null && secondsAt(tx.organization, channel.id, topic) === 0
  if (isNew && topics.length >= SLOW_TOPIC_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `At most ${SLOW_TOPIC_LIMIT.most} topics of a channel can have slow mode.`)
  }
  await storeSlowMode(tx, channel.id, topic, seconds)
  return {}
}

/** Returns the topic's spelling in its slow mode, if it has one. @throws ApiError BAD_REQUEST */
function topicInCharge(tx: ActorTx, channel: Channel, topic: string): string {
  if (!seesSlowTopics(tx.organization, tx.actor, channel)) {
    throw new ApiError('BAD_REQUEST', 'Slow mode for topics requires access to all messages of the channel.')
  }
  return spellingAt(tx.organization, channel.id, topic) ?? topic
}

function spellingAt(organization: OrganizationState, channelId: number, topic: string): string | undefined {
  const { topics } = slowModeOf(organization, channelId)
  return topics.find((one) => caseKey(one.topic) === caseKey(topic))?.topic
}

function secondsAt(organization: OrganizationState, channelId: number, topic: string | null): number {
  const slowMode = slowModeOf(organization, channelId)
  return topic === null ? slowMode.seconds : secondsOfTopic(slowMode, topic)
}

async function storeSlowMode(tx: Tx, channelId: number, topic: string | null, seconds: number): Promise<void> {
  const key = [tx.organizationId, channelId, placeKey(topic)]
  if (seconds === 0) {
    await tx.db.rows(
      'delete_slow_mode',
      'delete from slow_modes where organization_id = $1 and channel_id = $2 and place = $3',
      key,
    )
    await tx.db.rows(
      'delete_slow_mode_turns',
      'delete from slow_mode_turns where organization_id = $1 and channel_id = $2 and place = $3',
      key,
    )
  } else {
    await tx.db.rows(
      'store_slow_mode',
      `insert into slow_modes (organization_id, channel_id, place, topic, seconds) values ($1, $2, $3, $4, $5)
       on conflict (organization_id, channel_id, place) do update set seconds = excluded.seconds`,
      [...key, topic, seconds],
    )
  }
  changeSlowMode(tx, channelId, topic, seconds)
}

function changeSlowMode(tx: Tx, channelId: number, topic: string | null, seconds: number): void {
  tx.change(slowModesProjection, { channelId, topic, seconds })
  tx.emit(slowModeUpdated, { stream_id: channelId, topic, seconds }, COMMUNITY_CLIENTS)
}

/** Call this after all messages of a topic moved to a new name in the same channel. */
export async function moveSlowMode(tx: Tx, channelId: number, from: string, to: string): Promise<void> {
  const spelled = spellingAt(tx.organization, channelId, from)
  if (spelled === undefined || spelled === to) return
  const seconds = secondsAt(tx.organization, channelId, spelled)
  const keys = [tx.organizationId, channelId, placeKey(spelled), placeKey(to)]
  // A topic without messages can have slow mode, too.
  const kept = Math.max(seconds, placeKey(spelled) === placeKey(to) ? 0 : secondsAt(tx.organization, channelId, to))
  await tx.db.rows(
    'replace_slow_mode',
    'delete from slow_modes where organization_id = $1 and channel_id = $2 and place = $4 and place <> $3',
    keys,
  )
  await tx.db.rows(
    'move_slow_mode',
    `update slow_modes set place = $4, topic = $5, seconds = $6
     where organization_id = $1 and channel_id = $2 and place = $3`,
    [...keys, to, kept],
  )
  // Renaming a topic must not let anyone send earlier.
  await tx.db.rows(
    'move_slow_mode_turns',
    `update slow_mode_turns t set place = $4 where organization_id = $1 and channel_id = $2 and place = $3
     and not exists (
       select from slow_mode_turns other where other.organization_id = $1 and other.channel_id = $2
       and other.place = $4 and other.user_id = t.user_id)`,
    keys,
  )
  changeSlowMode(tx, channelId, spelled, 0)
  changeSlowMode(tx, channelId, to, kept)
}

export async function startLockDown(
  tx: ActorTx,
  { seconds }: Input<typeof contract.startLockDown>,
): Promise<Output<typeof contract.startLockDown>> {
  requireModerator(tx.actor)
  return { ends_at: await changeLockDown(tx, tx.now + seconds) }
}

export async function endLockDown(tx: ActorTx): Promise<Record<string, never>> {
  requireModerator(tx.actor)
  if (tx.organization.of(lockDownProjection).endsAt === null) {
    throw new ApiError('BAD_REQUEST', 'The organization is not locked down.')
  }
  await changeLockDown(tx, null)
  return {}
}

/** @param endsAt UNIX seconds; null ends the lock-down */
export async function changeLockDown<End extends number | null>(tx: Tx, endsAt: End): Promise<End> {
  await tx.db.deleteFrom('lock_downs').where('organization_id', '=', tx.organizationId).execute()
  if (endsAt !== null) {
    await tx.db.insertInto('lock_downs').values({ organization_id: tx.organizationId, ends_at: endsAt }).execute()
  }
  tx.change(lockDownProjection, { endsAt })
  tx.emit(lockDownUpdated, { ends_at: endsAt }, COMMUNITY_CLIENTS)
  return endsAt
}

/** Remembers that a person joined by invitation. The limits for new members can exempt them. */
export async function recordInvited(tx: Tx, userId: number): Promise<void> {
  await tx.db.insertInto('invited_people').values({ organization_id: tx.organizationId, user_id: userId }).execute()
}

const TAKE_TURN = numberParameters(`
  with asked as (
    select $channel::bigint as channel_id, $place::text as place, $user::bigint as user_id, $seconds::int as seconds),
  ${takeTurnsSql({ turns: 'asked' }).trim()}
  select sent_at, refusals from turn`)

/** Takes the sender's turn for a message posted in this transaction. @throws ApiError SLOW_MODE */
export async function takeTurn(tx: Tx, senderId: number, channelId: number | null, topic: string): Promise<void> {
  const turn = turnFor(tx.organization, senderId, channelId, topic)
  if (turn === undefined) return
  const values = {
    organization: tx.organizationId,
    now: tx.now,
    channel: turn.channelId,
    place: turn.place,
    user: turn.userId,
    seconds: turn.seconds,
  }
  const [taken] = await tx.db.rows<{ sent_at: number; refusals: number }>(
    'take_turn',
    TAKE_TURN.text,
    orderedValues(TAKE_TURN, values),
  )
  if (taken !== undefined && taken.refusals > 0) {
    throw slowModeError(taken.sent_at + turn.seconds - tx.now, turn.channelId)
  }
}

export interface SlowModeMove {
  readonly from: { readonly channelId: number; readonly topic: string }
  readonly to: { readonly channelId: number; readonly topic: string }
  readonly messageCount: number
}

/** Moving a message takes a turn, unless its place already has the same slow mode. @throws ApiError SLOW_MODE, BAD_REQUEST */
export async function takeTurnForMove(tx: ActorTx, { from, to, messageCount }: SlowModeMove): Promise<void> {
  const { organization, actor } = tx
  const turn = turnFor(organization, actor.userId, to.channelId, to.topic)
  if (turn === undefined) return
  const before = turnFor(organization, actor.userId, from.channelId, from.topic)
  if (before?.channelId === turn.channelId && before.place === turn.place) return
  if (messageCount > 1) {
    throw new ApiError('BAD_REQUEST', 'Slow mode is on there: you can move only one message at a time.')
  }
  await takeTurn(tx, actor.userId, to.channelId, to.topic)
}
