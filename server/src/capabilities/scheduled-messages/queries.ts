import type { Output } from '../../kernel/endpoint.ts'
import type { EventOf } from '../../kernel/event-binding.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { ClientForm, Viewer } from '../../kernel/viewer.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import type { ScheduledMessage } from './contract.ts'
import type * as contract from './contract.ts'

export interface StoredScheduledMessage {
  readonly id: number
  readonly userId: number
  readonly channelId: number | null
  readonly memberIds: readonly number[]
  readonly topic: string
  readonly content: string
  readonly renderedContent: string
  readonly deliveryAt: number
  readonly readBySender: boolean
  readonly client: string
  readonly failed: boolean
}

const SCHEDULED_MESSAGE_COLUMNS = `
  id, user_id as "userId", channel_id as "channelId", member_ids as "memberIds", topic, content,
  rendered_content as "renderedContent", delivery_at as "deliveryAt", read_by_sender as "readBySender", client, failed`

const SCHEDULED_MESSAGE_BY_ID = `select ${SCHEDULED_MESSAGE_COLUMNS} from scheduled_messages where organization_id = $1 and id = $2`

const SCHEDULED_MESSAGES_OF_USER = `
  select ${SCHEDULED_MESSAGE_COLUMNS} from scheduled_messages
  where organization_id = $1 and user_id = $2 order by delivery_at, id`

const MAX_DUE_MESSAGES = 500

const DUE_SCHEDULED_MESSAGES = `
  select s.organization_id as "organizationId", s.id from scheduled_messages s
  join organization_settings o on o.organization_id = s.organization_id and not o.deactivated
  where not s.failed and s.delivery_at <= $1 order by s.delivery_at, s.id limit ${MAX_DUE_MESSAGES}`

export async function scheduledMessageById(
  db: Db,
  organizationId: number,
  id: number,
): Promise<StoredScheduledMessage | undefined> {
  const [row] = await db.rows<StoredScheduledMessage>('scheduled_message', SCHEDULED_MESSAGE_BY_ID, [
    organizationId,
    id,
  ])
  return row
}

export async function dueScheduledMessages(db: Db, now: number): Promise<DueJob[]> {
  return db.rows<DueJob>('due_scheduled_messages', DUE_SCHEDULED_MESSAGES, [now])
}

export function presentScheduledMessage(stored: StoredScheduledMessage): ScheduledMessage {
  const others = stored.memberIds.filter((userId) => userId !== stored.userId)
  const place =
    stored.channelId === null
      ? { type: 'private' as const, to: others.length === 0 ? [stored.userId] : others }
      : { type: 'stream' as const, to: stored.channelId, topic: stored.topic }
  return {
    scheduled_message_id: stored.id,
    ...place,
    content: stored.content,
    rendered_content: stored.renderedContent,
    scheduled_delivery_timestamp: stored.deliveryAt,
    failed: stored.failed,
  }
}

async function scheduledMessagesOf(db: Db, organizationId: number, userId: number): Promise<StoredScheduledMessage[]> {
  return db.rows('scheduled_messages', SCHEDULED_MESSAGES_OF_USER, [organizationId, userId])
}

export async function getScheduledMessages(reader: Reader): Promise<Output<typeof contract.getScheduledMessages>> {
  const { db, organizationId, actor } = reader
  const stored = await scheduledMessagesOf(db, organizationId, actor.userId)
  return { scheduled_messages: stored.map(presentScheduledMessage) }
}

export async function scheduledMessagesSnapshot(
  db: Db,
  { organization, userId, form }: Viewer,
): Promise<Record<string, unknown>> {
  const stored = await scheduledMessagesOf(db, organization.id, userId)
  return { scheduled_messages: stored.map((one) => withDisplayTopic(form, presentScheduledMessage(one))) }
}

export function scheduledMessagesAddedToClient(
  { payload: { scheduled_messages } }: EventOf<typeof contract.scheduledMessagesAdded>,
  { form }: Viewer,
): Record<string, unknown> {
  return { scheduled_messages: scheduled_messages.map((one) => withDisplayTopic(form, one)) }
}

export function scheduledMessageUpdatedToClient(
  { payload: { scheduled_message } }: EventOf<typeof contract.scheduledMessageUpdated>,
  { form }: Viewer,
): Record<string, unknown> {
  return { scheduled_message: withDisplayTopic(form, scheduled_message) }
}

/** Replaces the empty topic with its display name for clients that do not support an empty topic. */
function withDisplayTopic(form: ClientForm, scheduled: ScheduledMessage): ScheduledMessage {
  const { topic } = scheduled
  return topic === undefined
    ? scheduled
    : { ...scheduled, topic: presentTopic(topic, form.capabilities.empty_topic_name) }
}
