import type { Input, Output } from '../../kernel/endpoint.ts'
import { requireTextCapacity, type TextTotals } from '../../kernel/limits.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import type { PreparationCall } from '../../platform/request.ts'
import { narrowUrl } from '../../platform/markdown/narrow.ts'
import { channelById } from '../channels/queries/index.ts'
import { prepareContent, type PreparedContent } from '../messages/actions/prepare.ts'
import { mayReadMessage, messagesById, type StoredMessage } from '../messages/queries/index.ts'
import type * as contract from './contract.ts'
import { REMINDER_LIMIT, reminderRemoved, remindersAdded } from './contract.ts'
import { presentReminder, reminderById, type StoredReminder } from './queries.ts'

export const REMINDER_DESTINATION = { channelId: null, topic: '' } as const

interface PreparedReminder extends Pick<PreparedContent, 'content' | 'renderedContent'> {
  readonly message: StoredMessage
}

export async function prepareReminder(
  call: PreparationCall,
  input: Input<typeof contract.createReminder>,
): Promise<PreparedReminder> {
  const { log, actor, reads } = call
  const messages = await messagesById(reads, log.organization.id, [input.message_id])
  const message = messages.get(input.message_id)
  if (message === undefined || !mayReadMessage(log.organization, actor, message)) {
    throw new ApiError('BAD_REQUEST', 'Invalid message(s)')
  }
  const renderContext = { organization: log.organization, db: reads, server: call.server }
  const text = reminderText(call, message, input.note)
  const { content, renderedContent } = await prepareContent(renderContext, actor, REMINDER_DESTINATION, text)
  return { message, content, renderedContent }
}

export async function createReminder(
  tx: ActorTx,
  input: Input<typeof contract.createReminder>,
  { message, content, renderedContent }: PreparedReminder,
): Promise<Output<typeof contract.createReminder>> {
  if (!mayReadMessage(tx.organization, tx.actor, message)) throw new ApiError('BAD_REQUEST', 'Invalid message(s)')
  if (input.scheduled_delivery_timestamp <= tx.now) {
    throw new ApiError('BAD_REQUEST', 'Scheduled delivery time must be in the future.')
  }
  const stored: StoredReminder = {
    id: tx.nextId(),
    userId: tx.actor.userId,
    messageId: message.id,
    content,
    renderedContent,
    deliveryAt: input.scheduled_delivery_timestamp,
    failed: false,
  }
  await tx.db
    .insertInto('reminders')
    .values({
      organization_id: tx.organizationId,
      id: stored.id,
      user_id: stored.userId,
      message_id: stored.messageId,
      content,
      rendered_content: renderedContent,
      delivery_at: stored.deliveryAt,
    })
    .execute()
  await requireReminderCapacity(tx)
  tx.emit(remindersAdded, { reminders: [presentReminder(stored)] }, { users: [stored.userId] })
  return { reminder_id: stored.id }
}

export async function deleteReminder(
  tx: ActorTx,
  { reminder_id: id }: Input<typeof contract.deleteReminder>,
): Promise<Record<string, never>> {
  const stored = await reminderById(tx.db, tx.organizationId, id)
  // Other users' reminders are refused as if they did not exist.
  if (stored?.userId !== tx.actor.userId) throw new ApiError('BAD_REQUEST', 'Reminder does not exist')
  await removeReminder(tx, stored)
  return {}
}

export async function removeReminder(tx: Tx, stored: StoredReminder): Promise<void> {
  await tx.db
    .deleteFrom('reminders')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', stored.id)
    .execute()
  tx.emit(reminderRemoved, { reminder_id: stored.id }, { users: [stored.userId] })
}

export async function markReminderFailed(tx: Tx, stored: StoredReminder): Promise<void> {
  await tx.db
    .updateTable('reminders')
    .set({ failed: true })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', stored.id)
    .execute()
}

/** Links to the message but does not repeat its content, which can change until the reminder is due. */
function reminderText({ log, server }: PreparationCall, message: StoredMessage, note = ''): string {
  const channel = message.channelId === null ? undefined : channelById(log.organization, message.channelId)
  const path =
    channel === undefined
      ? `/#narrow/dm/${(message.memberIds ?? []).join(',')}-dm/near/${message.id}`
      : narrowUrl(channel, message.topic, message.id)
  const lead = `You asked to be reminded of this message: ${server.urlOf(log.organization)}${path}`
  const quoted = note.trim().replaceAll(/^/gm, '> ')
  return note.trim() === '' ? lead : `${lead}\n\n${quoted}`
}

/** Counts both the text and its HTML, because both are stored. */
async function requireReminderCapacity(tx: ActorTx): Promise<void> {
  const [kept] = await tx.db.rows<TextTotals>(
    'kept_reminders',
    `select count(*)::int as count, coalesce(sum(char_length(content) + char_length(rendered_content)), 0)::int as characters
     from reminders where organization_id = $1 and user_id = $2`,
    [tx.organizationId, tx.actor.userId],
  )
  requireTextCapacity(kept ?? { count: 0, characters: 0 }, REMINDER_LIMIT.most, 'reminders')
}
