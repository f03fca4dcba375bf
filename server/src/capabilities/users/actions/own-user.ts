import type { Output } from '../../../kernel/endpoint.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { newestReceivedMessage } from '../../messages/queries/newest.ts'
import type * as contract from '../contract/index.ts'
import { avatarPath } from '../queries/index.ts'
import { presentUserWithProfile } from '../queries/present.ts'
import { knownUser } from '../rules/index.ts'

export async function getOwnUser(reader: Reader): Promise<Output<typeof contract.getOwnUser>> {
  const { organization, actor, db, organizationId } = reader
  const own = knownUser(organization, actor.userId)
  const { bot_type: _, bot_owner_id: __, ...shown } = presentUserWithProfile(own, actor, false)
  return {
    ...shown,
    avatar_url: avatarPath(own),
    delivery_email: own.deliveryEmail,
    max_message_id: await newestReceivedMessage(db, organizationId, actor.userId),
  }
}
