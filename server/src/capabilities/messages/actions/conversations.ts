import type { Tx } from '../../../kernel/transaction.ts'
import { execute } from '../../../platform/db/database.ts'
import type { Call } from '../../../platform/capability.ts'
import { meet } from '../../users/actions/sight.ts'

export interface Conversation {
  readonly id: number
  readonly topicId: number
  readonly memberIds: readonly number[]
}

const BY_MEMBERS = `
  select id, topic_id as "topicId" from conversations where organization_id = $1 and member_ids = $2::bigint[]`

/** Conversations remembered by who is in them. They never change, so forgetting one only costs a look-up. */
const MAX_REMEMBERED = 20_000
const remembered = new WeakMap<Call['log'], Map<string, Conversation>>()

/** The direct conversation of exactly these users, made at its first message. */
export async function conversationOf(call: Call, memberIds: readonly number[]): Promise<Conversation> {
  const key = memberIds.join()
  let known = remembered.get(call.log)
  if (known === undefined || known.size >= MAX_REMEMBERED) {
    known = new Map()
    remembered.set(call.log, known)
  }
  const cached = known.get(key)
  if (cached !== undefined) return cached
  const { organizationId } = call.log.world
  const [row] = await call.reads.rows<{ id: number; topicId: number }>('conversation_by_members', BY_MEMBERS, [
    organizationId,
    memberIds,
  ])
  const conversation =
    row === undefined ? await call.log.write((tx) => beginConversation(tx, memberIds)) : { ...row, memberIds }
  known.set(key, conversation)
  return conversation
}

/** The direct conversation of exactly these users, inside a transaction. */
export async function beginConversation(tx: Tx, memberIds: readonly number[]): Promise<Conversation> {
  const [existing] = await execute<{ id: number; topicId: number }>(tx.db, BY_MEMBERS, [tx.organizationId, memberIds])
  if (existing !== undefined) return { ...existing, memberIds }
  const id = tx.take()
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
  meet(tx, id, memberIds)
  return { id, topicId: topic.id, memberIds }
}
