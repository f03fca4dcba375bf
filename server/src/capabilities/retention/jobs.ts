import type { Tx } from '../../kernel/transaction.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { channelById } from '../channels/queries/index.ts'
import { deleteFromConversation, deleteFromTopic } from '../message-edits/actions/delete.ts'
import { MESSAGES_DELETED_PER_TRANSACTION } from '../message-edits/contract.ts'
import { settingOf } from '../organizations/queries/index.ts'
import { expiredMessages, retentionDays, conversationOfTopic, topicsWithExpiredMessages } from './queries.ts'

const DELETION_INTERVAL_SECONDS = 600

export const deleteExpiredMessages: Job = {
  name: 'deleteExpired',
  everySeconds: DELETION_INTERVAL_SECONDS,
  due: topicsWithExpiredMessages,
  run: async ({ log }, topicId) => {
    // Deletes in several transactions, so that other requests can run in between.
    while (await log.write((tx) => deleteOldestMessageBatch(tx, topicId)));
  },
}

async function deleteOldestMessageBatch(tx: Tx, topicId: number): Promise<boolean> {
  const place = await conversationOfTopic(tx.db, tx.organizationId, topicId)
  if (place === undefined) return false
  const channel = place.channelId === null ? undefined : channelById(tx.organization, place.channelId)
  const days = retentionDays(channel?.messageRetentionDays ?? settingOf(tx.organization, 'message_retention_days'))
  if (days === undefined) return false
  const found = await expiredMessages(tx.db, tx.organizationId, topicId, tx.now, days, MESSAGES_DELETED_PER_TRANSACTION)
  if (found.length === 0) return false
  const ids = found.map(({ id }) => id)
  if (channel === undefined) await deleteFromConversation(tx, { topicId, memberIds: place.memberIds ?? [] }, found)
  else await deleteFromTopic(tx, channel, topicId, ids)
  return ids.length === MESSAGES_DELETED_PER_TRANSACTION
}
