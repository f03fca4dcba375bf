import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import { sharedLists } from '../../../kernel/shared-lists.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import type { Call } from '../../../platform/request.ts'
import { refreshFirstMessage } from '../../channels/actions/access.ts'
import { channelById, type Channel } from '../../channels/queries/index.ts'
import { readablePart } from '../../channels/rules/index.ts'
import { requireTopicWithinLimit } from '../../channels/rules/topics.ts'
import { flagsOnMessages, deleteFlags } from '../../flags/actions/changed.ts'
import {
  messageIdsInTopic,
  topicNameOf,
  topicSpellingsOf,
  deleteMessages,
  findTopic,
} from '../../messages/actions/change.ts'
import { readableMessage, type StoredMessage } from '../../messages/queries/index.ts'
import { deletePins } from '../../pins/actions.ts'
import { deleteReactions } from '../../reactions/actions.ts'
import { releaseUploads } from '../../uploads/actions.ts'
import type * as contract from '../contract.ts'
import { MESSAGES_DELETED_PER_TRANSACTION, MAX_MESSAGES_DELETED_PER_REQUEST } from '../contract.ts'
import {
  mayDeleteAnyMessage,
  requireMayDelete,
  usersByMessages,
  readableMessageIds,
  seesAnyMessage,
  visibilityByUser,
} from '../rules.ts'
import { emitMessageDeletion } from './emit.ts'
import { deleteEditHistory } from './history.ts'

export async function deleteMessage(
  tx: ActorTx,
  input: Input<typeof contract.deleteMessage>,
): Promise<Record<string, never>> {
  const message = await readableMessage(tx, input.message_id)
  const channel = message.channelId === null ? undefined : channelById(tx.organization, message.channelId)
  if (channel?.isArchived === true) throw new ApiError('BAD_REQUEST', 'The channel is archived.')
  requireMayDelete(tx.organization, tx.actor, message, tx.now)
  if (channel !== undefined) {
    await deleteFromTopic(tx, channel, message.topicId, [message.id], tx.actor)
    return {}
  }
  const { topicId, memberIds, readerIds } = message
  await deleteFromConversation(tx, { topicId, memberIds: memberIds ?? [] }, [{ id: message.id, readerIds }])
  return {}
}

/** Deletes in batches, so that other writes can run in between. */
export async function deleteTopic(
  call: Call,
  input: Input<typeof contract.deleteTopic>,
): Promise<Output<typeof contract.deleteTopic>> {
  for (let deleted = 0; deleted < MAX_MESSAGES_DELETED_PER_REQUEST; deleted += MESSAGES_DELETED_PER_TRANSACTION) {
    if (await call.log.act(call.actor, (tx) => deleteNewestMessages(tx, input))) return { complete: true }
  }
  return { complete: false }
}

async function deleteNewestMessages(tx: ActorTx, input: Input<typeof contract.deleteTopic>): Promise<boolean> {
  const channel = channelById(tx.organization, input.stream_id)
  if (channel === undefined || readablePart(tx.organization, tx.actor, channel) === 'none') {
    throw new ApiError('BAD_REQUEST', 'Invalid channel ID')
  }
  if (!mayDeleteAnyMessage(tx.organization, tx.actor, channel)) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', "You don't have permission to delete messages in this channel.")
  }
  if (channel.isArchived) throw new ApiError('BAD_REQUEST', 'The channel is archived.')
  const name = requireTopicWithinLimit(input.topic_name, 'topic_name')
  const topic = await findTopic(tx, channel.id, name)
  if (topic === undefined) return true
  const seen = readableMessageIds(tx.organization, tx.actor, channel, await messageIdsInTopic(tx, topic.id))
  if (seen.length > 0)
    await deleteFromTopic(tx, channel, topic.id, seen.slice(-MESSAGES_DELETED_PER_TRANSACTION), tx.actor)
  return seen.length <= MESSAGES_DELETED_PER_TRANSACTION
}

/** `actor`: user who deletes the messages, notified even if not subscribed. */
export async function deleteFromTopic(
  tx: Tx,
  channel: Channel,
  topicId: number,
  messageIds: readonly number[],
  actor?: { readonly userId: number },
): Promise<void> {
  const own = actor === undefined ? [] : [actor.userId]
  const names = await topicSpellingsOf(tx, topicId)
  const readers = new Set<number>()
  const groups = usersByMessages(visibilityByUser(tx.organization, messageIds, channel, channel, own), 'known')
  for (const { messageIds: seen, userIds } of groups) {
    const audience = channel.historyPublic ? { channel: channel.id, users: own } : { users: userIds }
    emitMessageDeletion(
      tx,
      { message_type: 'stream', stream_id: channel.id, topic: topicNameOf(names, seen[0]) },
      seen,
      audience,
    )
    for (const userId of userIds) readers.add(userId)
  }
  await deleteMessagesAndData(tx, { channel, topicId }, messageIds, readers)
  await refreshFirstMessage(tx, channel)
}

interface DirectConversation {
  readonly topicId: number
  readonly memberIds: readonly number[]
}

/** Each member learns only of messages that they could read, in one event, so that nobody learns who could read which. */
export async function deleteFromConversation(
  tx: Tx,
  { topicId, memberIds }: DirectConversation,
  messages: readonly Pick<StoredMessage, 'id' | 'readerIds'>[],
): Promise<void> {
  const seenBy = new Map(
    memberIds.map((userId) => [
      userId,
      messages.filter(({ readerIds }) => readerIds?.includes(userId) === true).map(({ id }) => id),
    ]),
  )
  for (const { messageIds, userIds: users } of sharedLists(seenBy)) {
    emitMessageDeletion(tx, { message_type: 'private', user_ids: [...memberIds] }, messageIds, { users })
  }
  const ids = messages.map(({ id }) => id)
  await deleteMessagesAndData(tx, { topicId }, ids, new Set(memberIds))
}

async function deleteMessagesAndData(
  tx: Tx,
  { channel, topicId }: { readonly channel?: Channel; readonly topicId: number },
  messageIds: readonly number[],
  notified: ReadonlySet<number>,
): Promise<void> {
  await releaseUploads(tx, messageIds)
  if (channel !== undefined) await deletePins(tx, channel, messageIds)
  await deleteMessages(tx, { channelId: channel?.id ?? null, topicId }, messageIds)
  // Users who cannot see a message keep its star, so that they do not learn of the deletion.
  const lost = (await flagsOnMessages(tx, messageIds)).filter(
    (row) =>
      !row.starred || channel === undefined || seesAnyMessage(tx.organization, row.user_id, channel, [row.message_id]),
  )
  await deleteFlags(tx, lost, notified)
  await deleteReactions(tx, messageIds)
  await deleteEditHistory(tx, topicId, messageIds)
}
