import { escapeMarkdown } from '../../platform/markdown/escape.ts'
import type { Tx } from '../../kernel/transaction.ts'
import { beginPiece, ATTEMPT_TIMEOUT_SECONDS } from '../../platform/jobs/pieces.ts'
import type { ServerFacts } from '../../platform/server-facts.ts'
import { narrowUrl } from '../../platform/markdown/narrow.ts'
import { servicesOf } from '../bots/queries.ts'
import { channelById } from '../channels/queries/index.ts'
import { silentMentionOf, prepareNotice, postMessages } from '../messages/actions/post.ts'
import { mayReadMessage, messagesById, type StoredMessage } from '../messages/queries/index.ts'
import { userById, type UserRow } from '../users/queries/index.ts'
import { DELIVERY_LIMIT } from './contract.ts'
import { dueDelivery, unreportedFailure, type StoredDelivery } from './queries.ts'
import type { TriggeredBot, BotRequest } from './rules.ts'

export const RETRY_DELAYS_SECONDS = [5, 30, 180] as const
export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1
const NOTICE_INTERVAL_SECONDS = 3_600

const ADD_DELIVERY = `
  insert into outgoing_webhook_deliveries (organization_id, id, bot_id, message_id, trigger, due_at)
  select $1, $2, $3, $4, $5, $6
  where (select count(*) from outgoing_webhook_deliveries where organization_id = $1 and bot_id = $3) < $7
  returning id`

export async function addDelivery(tx: Tx, messageId: number, { botId, trigger }: TriggeredBot): Promise<void> {
  const values = [tx.organizationId, tx.nextId(), botId, messageId, trigger, tx.now, DELIVERY_LIMIT.most]
  const added = await tx.db.rows('add_webhook_delivery', ADD_DELIVERY, values)
  if (added.length === 0) await recordFailure(tx, { botId, messageId }, 'too many messages are waiting for it')
}

export interface StartedDelivery extends BotRequest {
  readonly delivery: StoredDelivery
}

/** Returns undefined if the message or bot no longer exists, or if the bot is paused or cannot read the message. */
export async function beginDelivery(tx: Tx, id: number): Promise<StartedDelivery | undefined> {
  const delivery = await dueDelivery(tx.db, tx.organizationId, id, tx.now)
  if (delivery === undefined) return undefined
  const { botId, messageId, trigger } = delivery
  const message = (await messagesById(tx.db, tx.organizationId, [messageId])).get(messageId)
  const bot = userById(tx.organization, botId)
  const stored = (await servicesOf(tx.db, tx.organizationId, [botId])).get(botId)
  if (
    message === undefined ||
    stored === undefined ||
    bot?.isActive !== true ||
    !mayReadMessage(tx.organization, { userId: bot.id, role: bot.role }, message)
  ) {
    await removeDelivery(tx, delivery)
    return undefined
  }
  if (stored.isPaused) {
    await removeDelivery(tx, delivery)
    await recordFailure(tx, delivery, 'it is paused until its URL is set again')
    return undefined
  }
  if (delivery.attempts >= MAX_ATTEMPTS) {
    // After an ordinary last failure, the delivery is deleted, so the server must have died during the last attempt.
    await removeDelivery(tx, delivery)
    await recordFailure(tx, delivery, `the server was interrupted, also the ${delivery.attempts}th time`)
    return undefined
  }
  const begun = await beginPiece(tx, 'outgoing_webhook_deliveries', delivery, ATTEMPT_TIMEOUT_SECONDS)
  return { delivery: begun, bot, service: stored.service, message, trigger }
}

/** Returns false if another server has claimed the delivery in the meantime. */
export async function removeDelivery(tx: Tx, { id, attempts }: StoredDelivery): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('outgoing_webhook_deliveries')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Deletes a bot's deliveries. A reply to a request already sent is then discarded. */
export async function deleteDeliveriesOf(tx: Tx, botId: number): Promise<void> {
  await tx.db
    .deleteFrom('outgoing_webhook_deliveries')
    .where('organization_id', '=', tx.organizationId)
    .where('bot_id', '=', botId)
    .execute()
}

const RECORD_FAILURE = `
  insert into outgoing_webhook_failures as f (organization_id, bot_id, untold, message_id, reason, tell_at)
  values ($1, $2, 1, $3, $4, $5)
  on conflict (organization_id, bot_id) do update
    set untold = f.untold + 1, message_id = excluded.message_id, reason = excluded.reason`

export async function recordFailure(
  tx: Tx,
  { botId, messageId }: Pick<StoredDelivery, 'botId' | 'messageId'>,
  reason: string,
): Promise<void> {
  await tx.db.rows('keep_webhook_failure', RECORD_FAILURE, [tx.organizationId, botId, messageId, reason, tx.now])
}

export async function notifyOwner(tx: Tx, server: ServerFacts, botId: number): Promise<void> {
  const failure = await unreportedFailure(tx.db, tx.organizationId, botId, tx.now)
  if (failure === undefined) return
  await tx.db
    .updateTable('outgoing_webhook_failures')
    .set({ untold: 0, tell_at: tx.now + NOTICE_INTERVAL_SECONDS })
    .where('organization_id', '=', tx.organizationId)
    .where('bot_id', '=', botId)
    .execute()
  const bot = userById(tx.organization, botId)
  const owner = userById(tx.organization, bot?.botOwnerId ?? 0) // No account has the ID 0.
  if (owner?.isActive !== true) return
  const message = (await messagesById(tx.db, tx.organizationId, [failure.messageId])).get(failure.messageId)
  const what = message === undefined ? 'a message' : describeMessage(tx, server, owner, message)
  const count = failure.untold === 1 ? '' : ` This is the latest of ${failure.untold} failures.`
  const text =
    `Your bot ${silentMentionOf(tx.organization, botId)} couldn’t handle ${what}: ${escapeMarkdown(failure.reason)}.${count} ` +
    'You get at most one notice like this per hour.'
  await postMessages(tx, [await prepareNotice(tx, server, { userId: owner.id }, text)])
}

/** Owners who cannot read the message must not learn which conversation it is in. */
function describeMessage(tx: Tx, server: ServerFacts, owner: UserRow, message: StoredMessage): string {
  if (!mayReadMessage(tx.organization, { userId: owner.id, role: owner.role }, message)) return 'a message'
  const channel = message.channelId === null ? undefined : channelById(tx.organization, message.channelId)
  const path =
    channel === undefined
      ? `/#narrow/dm/${(message.memberIds ?? []).join(',')}-dm/near/${message.id}`
      : narrowUrl(channel, message.topic, message.id)
  return `[a message](${server.urlOf(tx.organization)}${path})`
}
