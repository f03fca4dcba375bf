import { isBlank, isPrintable } from '../../../kernel/characters.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import type { Call } from '../../../platform/request.ts'
import { describeChange } from '../../audit-log/rules/described.ts'
import { channelById, channelsProjection } from '../../channels/queries/index.ts'
import { readablePart } from '../../channels/rules/index.ts'
import { deleteFromTopic } from '../../message-edits/actions/delete.ts'
import { MESSAGES_DELETED_PER_TRANSACTION } from '../../message-edits/contract.ts'
import { deactivateAccount, reactivateAccount } from '../../users/actions/accounts.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { botsOf } from '../../users/rules/bots.ts'
import { knownUser } from '../../users/rules/index.ts'
import { requireVisibleUser } from '../../users/rules/visibility.ts'
import type * as contract from '../contract.ts'
import { banAdded, MESSAGES_OF_BANNED_PER_REQUEST, type Ban } from '../contract.ts'
import { banOf, messagesSentBetween } from '../queries.ts'
import { requireMayBan } from '../rules.ts'
import { addBanAuditEntry, MODERATORS_WITH_BANS } from './removing.ts'

export async function banUser(tx: ActorTx, input: Input<typeof contract.banUser>): Promise<Record<string, never>> {
  const target = requireVisibleUser(tx.organization, tx.actor, input.user_id)
  requireMayBan(tx.actor, target)
  const { reason, duration_seconds: seconds } = input
  await addBan(tx, target, { reason, seconds: seconds ?? null, bannedBy: tx.actor.userId })
  return {}
}

interface NewBan {
  readonly reason: string
  /** Null for a ban without an end. */
  readonly seconds: number | null
  /** Null for the operator. */
  readonly bannedBy: number | null
}

/** The caller checks permissions. */
export async function addBan(
  tx: Tx & Partial<Pick<ActorTx, 'actor'>>,
  target: UserRow,
  { reason: given, seconds, bannedBy }: NewBan,
): Promise<void> {
  const reason = given.trim()
  if (isBlank(reason)) throw new ApiError('BAD_REQUEST', 'A ban needs a reason.')
  if (!isPrintable(reason.replaceAll('\n', ''))) throw new ApiError('BAD_REQUEST', 'Invalid character in reason.')
  if (!target.isActive) throw new ApiError('BAD_REQUEST', 'The account is not active.')
  const endsAt = seconds === null ? null : tx.now + seconds
  await deactivateAccount(tx, target)
  await tx.db
    .insertInto('bans')
    .values({
      organization_id: tx.organizationId,
      user_id: target.id,
      reason,
      banned_by: bannedBy,
      banned_at: tx.now,
      ends_at: endsAt,
    })
    .execute()
  tx.emit(banAdded, { user_id: target.id }, MODERATORS_WITH_BANS)
  await addBanAuditEntry(tx, target, 'banned', [
    ...describeChange('ban_reason', undefined, reason),
    ...describeChange('banned_until', undefined, endsAt),
  ])
}

export async function liftBan(tx: ActorTx, input: Input<typeof contract.liftBan>): Promise<Record<string, never>> {
  const { target } = await requireBanned(tx, input.user_id)
  await reactivateAccount(tx, target, undefined)
  return {}
}

/** Deletes in batches, so that other writes can run in between. */
export async function deleteMessagesOfBanned(
  call: Call,
  input: Input<typeof contract.deleteMessagesOfBanned>,
): Promise<Output<typeof contract.deleteMessagesOfBanned>> {
  for (let deleted = 0; deleted < MESSAGES_OF_BANNED_PER_REQUEST; deleted += MESSAGES_DELETED_PER_TRANSACTION) {
    if (await call.log.act(call.actor, (tx) => deleteNewestMessages(tx, input))) return { complete: true }
  }
  return { complete: false }
}

/** Returns whether all messages are deleted. */
async function deleteNewestMessages(
  tx: ActorTx,
  { user_id: userId, within_seconds: seconds }: Input<typeof contract.deleteMessagesOfBanned>,
): Promise<boolean> {
  const { target, ban } = await requireBanned(tx, userId)
  const channelIds = [...tx.organization.of(channelsProjection).byId.values()]
    .filter((channel) => !channel.isArchived && readablePart(tx.organization, tx.actor, channel) === 'all')
    .map(({ id }) => id)
  const senders = { senderIds: [target, ...botsOf(tx.organization, target.id)].map(({ id }) => id), channelIds }
  const period = [ban.banned_at - seconds, ban.banned_at] as const
  const found = await messagesSentBetween(tx.db, tx.organizationId, senders, period, MESSAGES_DELETED_PER_TRANSACTION)
  for (const { channelId, topicId, ids } of found) {
    const channel = channelById(tx.organization, channelId)
    if (channel !== undefined) await deleteFromTopic(tx, channel, topicId, ids, tx.actor)
  }
  return found.reduce((sum, { ids }) => sum + ids.length, 0) < MESSAGES_DELETED_PER_TRANSACTION
}

async function requireBanned(tx: ActorTx, userId: number): Promise<{ target: UserRow; ban: Ban }> {
  const target = requireVisibleUser(tx.organization, tx.actor, userId)
  requireMayBan(tx.actor, target)
  const ban = await banOf(tx.db, tx.organizationId, target.id)
  if (ban === undefined) throw new ApiError('BAD_REQUEST', 'User is not banned.')
  return { target, ban }
}

/** Reactivates the account if its ban is over. */
export async function endExpiredBan(tx: Tx, userId: number): Promise<void> {
  const ban = await banOf(tx.db, tx.organizationId, userId)
  if (ban === undefined || ban.ends_at === null || ban.ends_at > tx.now) return
  await reactivateAccount(tx, knownUser(tx.organization, userId), undefined)
}
