import { Refusal } from '../../../kernel/refusal.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { subscriptionsProjection, wasSubscribed } from '../../channels/queries/index.ts'
import { mayRead, messagesById, type StoredMessage } from '../../messages/queries/index.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { readersAmong } from '../../flags/queries/unread.ts'
import { userById, userSetting } from '../../users/queries/index.ts'
import { canSeeUser } from '../../users/rules/visibility.ts'
import type * as contract from '../contract/index.ts'
import { editsOf } from './index.ts'

/** Omits the sender, users who disabled receipts, and users hidden from the reader. */
export async function getReadReceipts(
  reader: Reader,
  input: Input<typeof contract.getReadReceipts>,
): Promise<Output<typeof contract.getReadReceipts>> {
  const { organization, actor, db, organizationId } = reader
  const message = (await messagesById(db, organizationId, [input.message_id])).get(input.message_id)
  if (message === undefined || !mayRead(organization, actor, message))
    throw new Refusal('BAD_REQUEST', 'Invalid message(s)')
  if (!settingOf(organization, 'enable_read_receipts')) {
    throw new Refusal('BAD_REQUEST', 'Read receipts are disabled in this organization.')
  }
  const receivers = (await receiversOf(reader, message)).filter((userId) => {
    const user = userById(organization, userId)
    if (user?.isActive !== true || userId === message.senderId || !canSeeUser(organization, actor, user)) return false
    return userSetting(user, 'send_read_receipts')
  })
  return { user_ids: [...(await readersAmong(db, organizationId, message, receivers))] }
}

/** Finds a message's original receivers; if it was moved, the subscribers of its former channel at that time. */
async function receiversOf(
  { organization, db, organizationId }: Reader,
  message: StoredMessage,
): Promise<readonly number[]> {
  if (message.channelId === null) return message.memberIds ?? []
  const edits = (await editsOf(db, organizationId, [message.id])).get(message.id) ?? []
  const sentTo = edits.find((edit) => edit.prev_channel_id !== null)?.prev_channel_id ?? message.channelId
  return [...organization.of(subscriptionsProjection).byUser.keys()].filter((userId) =>
    wasSubscribed(organization, userId, sentTo, message.id),
  )
}
