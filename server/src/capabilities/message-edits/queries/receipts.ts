import { Refusal } from '../../../kernel/refusal.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { subscriptionsFold, wasSubscribed } from '../../channels/queries.ts'
import { mayRead, messagesById, type StoredMessage } from '../../messages/queries.ts'
import { setting } from '../../organizations/queries.ts'
import { readersAmong } from '../../unread/queries.ts'
import { userById, userSetting } from '../../users/queries.ts'
import { maySee } from '../../users/rules/sight.ts'
import type { getReadReceipts } from '../contract/index.ts'
import { editsOf } from '../queries.ts'

/**
 * Who has read a message of those to whom it was sent, without its sender, those who keep it to themselves and those
 * whom the reader does not see.
 */
export async function readReceipts(
  reader: Reader,
  input: Input<typeof getReadReceipts>,
): Promise<Output<typeof getReadReceipts>> {
  const { world, actor, db, organizationId } = reader
  const message = (await messagesById(db, organizationId, [input.message_id])).get(input.message_id)
  if (message === undefined || !mayRead(world, actor, message)) throw new Refusal('BAD_REQUEST', 'Invalid message(s)')
  if (!setting(world, 'enable_read_receipts')) {
    throw new Refusal('BAD_REQUEST', 'Read receipts are disabled in this organization.')
  }
  const receivers = (await receiversOf(reader, message)).filter((userId) => {
    const user = userById(world, userId)
    if (user?.isActive !== true || userId === message.senderId || !maySee(world, actor, user)) return false
    return userSetting(user, 'send_read_receipts')
  })
  return { user_ids: await readersAmong(db, organizationId, message, receivers) }
}

/** To whom the message was sent, which in a channel it may have left since is who was subscribed there then. */
async function receiversOf({ world, db, organizationId }: Reader, message: StoredMessage): Promise<readonly number[]> {
  if (message.channelId === null) return message.memberIds ?? []
  const edits = (await editsOf(db, organizationId, [message.id])).get(message.id) ?? []
  const sentTo = edits.find((edit) => edit.prev_channel_id !== null)?.prev_channel_id ?? message.channelId
  return [...world.of(subscriptionsFold).byUser.keys()].filter((userId) =>
    wasSubscribed(world, userId, sentTo, message.id),
  )
}
