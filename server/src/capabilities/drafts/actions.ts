import { isBlank } from '../../kernel/characters.ts'
import type { Audience } from '../../kernel/audience.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { MAX_STORED_CHARACTERS, requireTextCapacity } from '../../kernel/limits.ts'
import { ApiError } from '../../kernel/refusal.ts'
import { countCodePoints } from '../../kernel/schemas.ts'
import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import { channelById } from '../channels/queries/index.ts'
import { canSeeChannel } from '../channels/rules/index.ts'
import { normalizeRequestedTopic } from '../channels/rules/topics.ts'
import { visibleUser } from '../users/rules/visibility.ts'
import type * as contract from './contract.ts'
import { draftRemoved, draftsAdded, draftUpdated, DRAFT_LIMIT, type Draft, type DraftInput } from './contract.ts'
import { draftTotals } from './queries.ts'

export async function createDrafts(
  tx: ActorTx,
  input: Input<typeof contract.createDrafts>,
): Promise<Output<typeof contract.createDrafts>> {
  if (input.drafts.length === 0) return { ids: [] }
  const drafts = input.drafts.map((wanted): Draft => ({ id: tx.nextId(), ...validateDraft(tx, wanted) }))
  await storeDrafts(tx, tx.actor.userId, drafts)
  await requireDraftCapacity(tx)
  return { ids: drafts.map((draft) => draft.id) }
}

async function storeDrafts(tx: Tx, userId: number, drafts: Draft[]): Promise<void> {
  const owner = { organization_id: tx.organizationId, user_id: userId }
  await tx.db
    .insertInto('drafts')
    .values(drafts.map((draft) => ({ ...owner, id: draft.id, ...draftColumns(draft) })))
    .execute()
  tx.emit(draftsAdded, { drafts }, { users: [userId] })
}

/** Stores a draft for a person, unless they have too many. */
export async function storeDraftIfPossible(tx: Tx, userId: number, draft: Omit<Draft, 'id'>): Promise<void> {
  const { count, characters } = await draftTotals(tx.db, tx.organizationId, userId)
  if (count >= DRAFT_LIMIT.most || characters + countCodePoints(draft.content) > MAX_STORED_CHARACTERS) return
  await storeDrafts(tx, userId, [{ id: tx.nextId(), ...draft }])
}

export async function updateDraft(
  tx: ActorTx,
  input: Input<typeof contract.updateDraft>,
): Promise<Record<string, never>> {
  const draft: Draft = { id: input.draft_id, ...validateDraft(tx, input.draft) }
  const { numUpdatedRows } = await tx.db
    .updateTable('drafts')
    .set(draftColumns(draft))
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('id', '=', draft.id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw noSuchDraftError()
  await requireDraftCapacity(tx)
  tx.emit(draftUpdated, { draft }, ownAudience(tx))
  return {}
}

export async function deleteDraft(
  tx: ActorTx,
  { draft_id }: Input<typeof contract.deleteDraft>,
): Promise<Record<string, never>> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('drafts')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('id', '=', draft_id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw noSuchDraftError()
  tx.emit(draftRemoved, { draft_id }, ownAudience(tx))
  return {}
}

async function requireDraftCapacity(tx: ActorTx): Promise<void> {
  requireTextCapacity(await draftTotals(tx.db, tx.organizationId, tx.actor.userId), DRAFT_LIMIT.most, 'drafts')
}

function ownAudience(tx: ActorTx): Audience {
  return { users: [tx.actor.userId] }
}

/** Other users' drafts get the same error as missing drafts. */
function noSuchDraftError(): ApiError {
  return new ApiError('BAD_REQUEST', 'Draft does not exist')
}

function draftColumns(draft: Draft): {
  type: string
  recipient_ids: number[]
  topic: string
  content: string
  last_edited: number
} {
  const { type, topic, content } = draft
  return { type, recipient_ids: draft.to, topic, content, last_edited: draft.timestamp }
}

function validateDraft(tx: ActorTx, wanted: DraftInput): Omit<Draft, 'id'> {
  const { type, content, timestamp = tx.now } = wanted
  if (isBlank(content)) throw new ApiError('BAD_REQUEST', 'Message must not be empty')
  if (timestamp < 0) throw new ApiError('BAD_REQUEST', 'Timestamp must not be negative.')
  if (type === 'stream') {
    const topic = normalizeRequestedTopic(tx.organization, tx.actor, wanted.topic)
    return { type, to: [requireOneChannel(tx, wanted.to)], topic, content, timestamp }
  }
  const to = type === 'private' ? requireVisibleUsers(tx, wanted.to) : []
  return { type, to, topic: '', content, timestamp }
}

function requireOneChannel(tx: ActorTx, [channelId, ...more]: readonly number[]): number {
  if (channelId === undefined || more.length > 0) {
    throw new ApiError('BAD_REQUEST', 'Must specify exactly 1 channel ID for channel messages')
  }
  const channel = channelById(tx.organization, channelId)
  if (channel === undefined || !canSeeChannel(tx.organization, tx.actor, channel)) {
    throw new ApiError('BAD_REQUEST', 'Invalid channel ID')
  }
  return channelId
}

function requireVisibleUsers(tx: ActorTx, userIds: readonly number[]): number[] {
  const unknown = userIds.find((userId) => visibleUser(tx.organization, tx.actor, userId) === undefined)
  if (unknown !== undefined) throw new ApiError('BAD_REQUEST', `Invalid user ID ${unknown}`)
  return [...new Set(userIds)]
}
