import type { Audience } from '../../kernel/audience.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { requireTextCapacity, type TextTotals } from '../../kernel/limits.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import type { PreparationCall } from '../../platform/request.ts'
import { normalizeRequestedTopic } from '../channels/rules/topics.ts'
import type { Member } from '../groups/rules.ts'
import { requireMayStartConversation } from '../messages/actions/conversations.ts'
import { validateTopic, conversationMembers, isReadBySender, sendableChannel } from '../messages/rules/index.ts'
import { prepareMessage } from '../messages/actions/prepare.ts'
import type * as contract from './contract.ts'
import {
  SCHEDULED_MESSAGE_LIMIT,
  scheduledMessageRemoved,
  scheduledMessagesAdded,
  scheduledMessageUpdated,
} from './contract.ts'
import { presentScheduledMessage, scheduledMessageById, type StoredScheduledMessage } from './queries.ts'

type Destination = Pick<StoredScheduledMessage, 'channelId' | 'memberIds' | 'topic'>

type RenderedText = Pick<StoredScheduledMessage, 'content' | 'renderedContent'>

export async function prepareScheduledMessage(
  call: PreparationCall,
  input: Input<typeof contract.createScheduledMessage>,
): Promise<RenderedText> {
  return renderForDisplay(call, destinationOf(call.log.organization, call.actor, input), input.content)
}

export async function createScheduledMessage(
  tx: ActorTx,
  input: Input<typeof contract.createScheduledMessage>,
  rendered: RenderedText,
): Promise<Output<typeof contract.createScheduledMessage>> {
  const destination = destinationOf(tx.organization, tx.actor, input)
  await requireMayWriteTo(tx, tx.actor, destination)
  requireFutureTime(tx, input.scheduled_delivery_timestamp)
  const isToOneself = destination.channelId === null && destination.memberIds.length === 1
  const stored: StoredScheduledMessage = {
    id: tx.nextId(),
    userId: tx.actor.userId,
    ...destination,
    ...rendered,
    deliveryAt: input.scheduled_delivery_timestamp,
    readBySender: input.read_by_sender ?? (isReadBySender(tx.actor.client) && !isToOneself),
    client: tx.actor.client,
    failed: false,
  }
  await tx.db
    .insertInto('scheduled_messages')
    .values({
      organization_id: tx.organizationId,
      id: stored.id,
      user_id: stored.userId,
      read_by_sender: stored.readBySender,
      client: stored.client,
      ...changeableColumns(stored),
    })
    .execute()
  await requireScheduledCapacity(tx)
  tx.emit(scheduledMessagesAdded, { scheduled_messages: [presentScheduledMessage(stored)] }, ownerAudience(stored))
  return { scheduled_message_id: stored.id }
}

export async function prepareScheduledUpdate(
  call: PreparationCall,
  input: Input<typeof contract.updateScheduledMessage>,
): Promise<RenderedText> {
  const { scheduled_message_id: id, type, to, content, topic, scheduled_delivery_timestamp: deliveryAt } = input
  if ([type, to, content, topic, deliveryAt].every((value) => value === undefined)) {
    throw new ApiError('BAD_REQUEST', 'Nothing to change')
  }
  if (type !== undefined && to === undefined) {
    throw new ApiError('BAD_REQUEST', 'Recipient required when updating type of scheduled message.')
  }
  const { id: organizationId } = call.log.organization
  const seen = requireOwnScheduledMessage(call.actor.userId, await scheduledMessageById(call.reads, organizationId, id))
  const destination = changedDestination(call.log.organization, call.actor, seen, input)
  return renderForDisplay(call, destination, content ?? seen.content)
}

/** Checks the result like a new message, so even unchanged parts can be refused. */
export async function updateScheduledMessage(
  tx: ActorTx,
  input: Input<typeof contract.updateScheduledMessage>,
  rendered: RenderedText,
): Promise<Record<string, never>> {
  const { scheduled_message_id: id, content, scheduled_delivery_timestamp: deliveryAt } = input
  const before = requireOwnScheduledMessage(tx.actor.userId, await scheduledMessageById(tx.db, tx.organizationId, id))
  const changed = changedDestination(tx.organization, tx.actor, before, input)
  await requireMayWriteTo(tx, tx.actor, changed)
  if (deliveryAt !== undefined || before.failed) requireFutureTime(tx, deliveryAt ?? before.deliveryAt)
  await writeScheduledMessage(tx, {
    ...before,
    ...changed,
    ...(content === undefined ? {} : rendered),
    deliveryAt: deliveryAt ?? before.deliveryAt,
    failed: false,
  })
  if (content !== undefined) await requireScheduledCapacity(tx)
  return {}
}

export async function deleteScheduledMessage(
  tx: ActorTx,
  { scheduled_message_id: id }: Input<typeof contract.deleteScheduledMessage>,
): Promise<Record<string, never>> {
  await removeScheduledMessage(
    tx,
    requireOwnScheduledMessage(tx.actor.userId, await scheduledMessageById(tx.db, tx.organizationId, id)),
  )
  return {}
}

export async function removeScheduledMessage(tx: Tx, stored: StoredScheduledMessage): Promise<void> {
  await tx.db
    .deleteFrom('scheduled_messages')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', stored.id)
    .execute()
  tx.emit(scheduledMessageRemoved, { scheduled_message_id: stored.id }, ownerAudience(stored))
}

export async function markScheduledMessageFailed(tx: Tx, stored: StoredScheduledMessage): Promise<void> {
  await writeScheduledMessage(tx, { ...stored, failed: true })
}

/** @throws ApiError if the sender currently cannot send messages to this destination */
export function destinationOf(
  organization: OrganizationState,
  sender: Member,
  { type, to, topic }: { type: string; to: number | number[]; topic?: string | undefined },
): Destination {
  if (isDirectType(type)) {
    return { channelId: null, memberIds: conversationMembers(organization, sender, [to].flat()), topic: '' }
  }
  const [channelId, ...more] = [to].flat()
  if (channelId === undefined || more.length > 0) throw new ApiError('BAD_REQUEST', 'Expected exactly one channel')
  const channel = sendableChannel(organization, sender, channelId)
  return {
    channelId,
    memberIds: [],
    topic: validateTopic(organization, channel, normalizeRequestedTopic(organization, sender, topic)),
  }
}

/** @throws ApiError if the sender currently cannot start this conversation */
export async function requireMayWriteTo(tx: Tx, sender: Member, { channelId, memberIds }: Destination): Promise<void> {
  if (channelId === null) await requireMayStartConversation(tx, sender, memberIds)
}

function changedDestination(
  organization: OrganizationState,
  sender: Member,
  before: StoredScheduledMessage,
  { type, to, topic }: Input<typeof contract.updateScheduledMessage>,
): Destination {
  const wasDirect = before.channelId === null
  const isDirect = type === undefined ? wasDirect : isDirectType(type)
  if (!isDirect && wasDirect && topic === undefined) {
    throw new ApiError('BAD_REQUEST', 'Topic required when updating scheduled message type to channel.')
  }
  return destinationOf(organization, sender, {
    type: isDirect ? 'direct' : 'channel',
    to: to ?? presentScheduledMessage(before).to,
    topic: topic ?? before.topic,
  })
}

function isDirectType(type: string): boolean {
  return type === 'direct' || type === 'private'
}

/** Renders the text for display only; sending the message renders it again. */
async function renderForDisplay(
  { log, actor, reads, server }: PreparationCall,
  destination: Destination,
  text: string,
): Promise<RenderedText> {
  const renderContext = { organization: log.organization, db: reads, server }
  const { content, renderedContent } = await prepareMessage(renderContext, actor, destination, text)
  return { content, renderedContent }
}

async function writeScheduledMessage(tx: Tx, changed: StoredScheduledMessage): Promise<void> {
  await tx.db
    .updateTable('scheduled_messages')
    .set(changeableColumns(changed))
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', changed.id)
    .execute()
  tx.emit(scheduledMessageUpdated, { scheduled_message: presentScheduledMessage(changed) }, ownerAudience(changed))
}

function changeableColumns(stored: StoredScheduledMessage): {
  channel_id: number | null
  member_ids: number[]
  topic: string
  content: string
  rendered_content: string
  delivery_at: number
  failed: boolean
} {
  return {
    channel_id: stored.channelId,
    member_ids: [...stored.memberIds],
    topic: stored.topic,
    content: stored.content,
    rendered_content: stored.renderedContent,
    delivery_at: stored.deliveryAt,
    failed: stored.failed,
  }
}

function ownerAudience(stored: StoredScheduledMessage): Audience {
  return { users: [stored.userId] }
}

/** @throws the same ApiError whether the message belongs to another user, was sent, or never existed */
function requireOwnScheduledMessage(
  userId: number,
  stored: StoredScheduledMessage | undefined,
): StoredScheduledMessage {
  if (stored?.userId !== userId) throw new ApiError('BAD_REQUEST', 'Scheduled message does not exist')
  return stored
}

function requireFutureTime(tx: Tx, deliveryAt: number): void {
  if (deliveryAt <= tx.now) throw new ApiError('BAD_REQUEST', 'Scheduled delivery time must be in the future.')
}

async function requireScheduledCapacity(tx: ActorTx): Promise<void> {
  const [kept] = await tx.db.rows<TextTotals>(
    'kept_scheduled_messages',
    `select count(*)::int as count, coalesce(sum(char_length(content) + char_length(rendered_content)), 0)::int as characters
     from scheduled_messages where organization_id = $1 and user_id = $2`,
    [tx.organizationId, tx.actor.userId],
  )
  requireTextCapacity(kept ?? { count: 0, characters: 0 }, SCHEDULED_MESSAGE_LIMIT.most, 'scheduled messages')
}
