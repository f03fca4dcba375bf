import { isBlank, isPrintable } from '../../../kernel/characters.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Db, Tx } from '../../../kernel/transaction.ts'
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
import { banOf, messagesSentBefore, SENT_MESSAGES_PER_PAGE, sentInChannels } from '../queries.ts'
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

/** Searches outside transactions and deletes in batches, so that other writes can run in between. */
export async function deleteMessagesOfBanned(
  call: Call,
  { user_id: userId, within_seconds: seconds }: Input<typeof contract.deleteMessagesOfBanned>,
): Promise<Output<typeof contract.deleteMessagesOfBanned>> {
  const { log, actor, reads } = call
  const { organization } = log
  const { target, ban } = await requireBanned(
    { organization, organizationId: organization.id, actor, db: reads },
    userId,
  )
  const senderIds = accountsOf(organization, target)
  const start = ban.banned_at - seconds
  let deleted = 0
  let before = Number.MAX_SAFE_INTEGER
  while (deleted < MESSAGES_OF_BANNED_PER_REQUEST) {
    const page = await messagesSentBefore(reads, organization.id, senderIds, before)
    const channelIds = new Set<number | null>(deletableChannelIds({ organization, actor }))
    const found = page.filter(
      ({ channelId, dateSent }) => channelIds.has(channelId) && dateSent >= start && dateSent <= ban.banned_at,
    )
    for (let from = 0; from < found.length; from += MESSAGES_DELETED_PER_TRANSACTION) {
      const ids = found.slice(from, from + MESSAGES_DELETED_PER_TRANSACTION).map(({ id }) => id)
      await log.act(actor, (tx) => deleteMessagesOf(tx, userId, ids))
    }
    // Servers with different clocks can store messages slightly out of order.
    const isPast = page.every(({ dateSent }) => dateSent < start)
    if (isPast || page.length < SENT_MESSAGES_PER_PAGE) return { complete: true }
    deleted += found.length
    before = page.at(-1)?.id ?? 0
  }
  return { complete: false }
}

async function deleteMessagesOf(tx: ActorTx, userId: number, messageIds: readonly number[]): Promise<void> {
  const { target } = await requireBanned(tx, userId)
  const senders = { senderIds: accountsOf(tx.organization, target), channelIds: deletableChannelIds(tx) }
  for (const { channelId, topicId, ids } of await sentInChannels(tx.db, tx.organizationId, messageIds, senders)) {
    const channel = channelById(tx.organization, channelId)
    if (channel !== undefined) await deleteFromTopic(tx, channel, topicId, ids, tx.actor)
  }
}

function accountsOf(organization: OrganizationState, target: UserRow): number[] {
  return [target, ...botsOf(organization, target.id)].map(({ id }) => id)
}

function deletableChannelIds({ organization, actor }: Pick<ActorTx, 'organization' | 'actor'>): number[] {
  return [...organization.of(channelsProjection).byId.values()]
    .filter((channel) => !channel.isArchived && readablePart(organization, actor, channel) === 'all')
    .map(({ id }) => id)
}

async function requireBanned(
  { organization, organizationId, actor, db }: Pick<ActorTx, 'organization' | 'organizationId' | 'actor'> & { db: Db },
  userId: number,
): Promise<{ target: UserRow; ban: Ban }> {
  const target = requireVisibleUser(organization, actor, userId)
  requireMayBan(actor, target)
  const ban = await banOf(db, organizationId, target.id)
  if (ban === undefined) throw new ApiError('BAD_REQUEST', 'User is not banned.')
  return { target, ban }
}

/** Reactivates the account if its ban is over. */
export async function endExpiredBan(tx: Tx, userId: number): Promise<void> {
  const ban = await banOf(tx.db, tx.organizationId, userId)
  if (ban === undefined || ban.ends_at === null || ban.ends_at > tx.now) return
  await reactivateAccount(tx, knownUser(tx.organization, userId), undefined)
}
