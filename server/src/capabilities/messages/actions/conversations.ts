import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Db, Reader, Tx } from '../../../kernel/transaction.ts'
import type { Call } from '../../../platform/request.ts'
import { emitToMetadataOnlyViewers } from '../../channels/actions/peers.ts'
import type { Member } from '../../groups/rules.ts'
import { joinSharedChannel } from '../../users/actions/visibility.ts'
import { requireNewcomerMayWriteTo } from '../queries/newcomers.ts'
import { mayStartConversation, requireMayStillWrite } from '../rules/index.ts'

export interface Conversation {
  readonly id: number
  readonly topicId: number
  readonly memberIds: readonly number[]
}

const CONVERSATION_BY_MEMBERS = `
  select id, topic_id as "topicId" from conversations where organization_id = $1 and member_ids = $2::bigint[]`

async function conversationByMembers(
  db: Db,
  organizationId: number,
  memberIds: readonly number[],
): Promise<Conversation | undefined> {
  const [row] = await db.rows<{ id: number; topicId: number }>('conversation_by_members', CONVERSATION_BY_MEMBERS, [
    organizationId,
    memberIds,
  ])
  return row && { ...row, memberIds }
}

/** A conversation's members never change, so evicting an entry only costs another lookup. */
const MAX_CACHED_CONVERSATIONS = 20_000
const conversationCaches = new WeakMap<Call['log'], BoundedCache<string, Conversation>>()

/** @throws ApiError BAD_REQUEST if the actor cannot start the conversation */
export async function conversationOf(call: Call, memberIds: readonly number[]): Promise<Conversation> {
  const key = memberIds.join()
  const known = conversationCaches.get(call.log) ?? new BoundedCache(MAX_CACHED_CONVERSATIONS)
  conversationCaches.set(call.log, known)
  const cached = known.get(key)
  const { organization, lookups } = call.log
  await requireNewcomerMayWriteTo({ organization, db: lookups }, call.actor, memberIds)
  if (cached !== undefined) return cached
  const { id: organizationId } = organization
  const existing = await conversationByMembers(lookups, organizationId, memberIds)
  const conversation = existing ?? (await startConversation(call, memberIds))
  known.set(key, conversation)
  return conversation
}

async function startConversation({ log, actor }: Call, memberIds: readonly number[]): Promise<Conversation> {
  return log.act(actor, async (tx) => {
    requireMayStillWrite(tx.organization, tx.actor, memberIds)
    await requireMayStartConversation(tx, tx.actor, memberIds)
    return findOrCreateConversation(tx, memberIds)
  })
}

export async function findOrCreateConversation(tx: Tx, memberIds: readonly number[]): Promise<Conversation> {
  const existing = await conversationByMembers(tx.db, tx.organizationId, memberIds)
  if (existing !== undefined) return existing
  const id = tx.nextId()
  const topic = await tx.db
    .insertInto('topics')
    .values({
      organization_id: tx.organizationId,
      channel_id: null,
      name: '',
      name_key: '',
      first_id: id,
      max_id: id,
      previous_id: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.db
    .insertInto('conversations')
    .values({ organization_id: tx.organizationId, id, member_ids: [...memberIds], topic_id: topic.id })
    .execute()
  await tx.db
    .insertInto('conversation_members')
    .values(memberIds.map((userId) => ({ organization_id: tx.organizationId, user_id: userId, conversation_id: id })))
    .execute()
  emitToMetadataOnlyViewers(tx, joinSharedChannel(tx, id, memberIds))
  return { id, topicId: topic.id, memberIds }
}

const CONVERSATION_WITH_MESSAGES = `
  select 1 from conversations c
  where c.organization_id = $1 and c.member_ids = $2::bigint[]
    and exists (
      select from messages m where m.organization_id = $1 and m.topic_id = c.topic_id
      and m.withheld_from is distinct from $3)`

/** Queries the database only for new members, and members who cannot start a conversation. @throws ApiError BAD_REQUEST */
export async function requireMayStartConversation(
  { organization, db }: Pick<Reader | Tx, 'organization' | 'db'>,
  member: Member,
  memberIds: readonly number[],
): Promise<void> {
  await requireNewcomerMayWriteTo({ organization, db }, member, memberIds)
  if (mayStartConversation(organization, member, memberIds)) return
  const values = [organization.id, memberIds, member.userId]
  const found = await db.rows('conversation_with_messages', CONVERSATION_WITH_MESSAGES, values)
  if (found.length === 0) throw mayNotStartConversationError()
}

export function mayNotStartConversationError(): ApiError {
  return new ApiError('BAD_REQUEST', 'You do not have permission to initiate direct message conversations.')
}
