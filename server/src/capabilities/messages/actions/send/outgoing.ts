import { createHash } from 'node:crypto'
import type { Audience } from '../../../../kernel/audience.ts'
import type { Input } from '../../../../kernel/endpoint.ts'
import type { OrganizationState } from '../../../../kernel/projection.ts'
import type { Tx } from '../../../../kernel/transaction.ts'
import type { Call } from '../../../../platform/request.ts'
import type * as contract from '../../contract/index.ts'
import { blockerIn, startingTopicRaisesPolicy, followersAmong } from '../../rules/index.ts'
import { previewableUrls } from '../../../link-previews/rules.ts'
import { buildPayload, type FollowUpWork, type MessagePayload } from '../../rules/payload.ts'
import { commandBotReachedBy, recipientsOf, type Recipients } from '../../rules/recipients.ts'
import type { ContentToStore } from '../prepare.ts'
import { indexText, type IndexedText } from '../terms.ts'

export interface OutgoingMessage extends ContentToStore {
  readonly channelId: number | null
  readonly topic: string
  readonly conversation: { readonly id: number; readonly topicId: number; readonly memberIds: readonly number[] } | null
  readonly senderId: number
  readonly client: string
  readonly readBySender: boolean
  readonly causedBy?: number
  readonly queueId: string | null
  readonly localId: string | null
  readonly key: SendKey | null
  readonly audience: Audience
  readonly withheldFrom?: number
  readonly leftToDo?: FollowUpWork | undefined
}

export interface MessageInsert {
  readonly message: OutgoingMessage
  readonly recipients: Recipients
  readonly payload: MessagePayload
  readonly startCounts: boolean
  readonly indexed: IndexedText
}

export function createMessageInsert(organization: OrganizationState, outgoing: OutgoingMessage): MessageInsert {
  const message = withholdIfBlocked(organization, outgoing)
  const destination = { channelId: message.channelId, memberIds: message.conversation?.memberIds ?? null }
  const recipients = recipientsOf(organization, destination, message.facts, message)
  const startCounts = startingTopicRaisesPolicy(organization, message)
  const { previewable } = message
  const toPreview = previewable.length === 0 ? previewable : previewableUrls(organization, previewable)
  const commandBot = commandBotReachedBy(organization, destination, message.content)
  const payload = buildPayload(recipients, message, { toPreview, commandBot })
  return { message, recipients, payload, startCounts, indexed: indexText(message.content) }
}

/** Decided when the message is written: the sender may have been blocked since it was checked. */
function withholdIfBlocked(organization: OrganizationState, message: OutgoingMessage): OutgoingMessage {
  const { conversation, senderId } = message
  if (conversation === null) return message
  const blocker = blockerIn(organization, senderId, conversation.memberIds)
  if (blocker === undefined) return message
  return {
    ...message,
    withheldFrom: blocker,
    audience: { users: conversation.memberIds.filter((id) => id !== blocker) },
  }
}

export interface MentionedFollower {
  readonly n: number
  readonly userId: number
  readonly message: OutgoingMessage
}

export function mentionedFollowers(
  organization: OrganizationState,
  inserts: readonly MessageInsert[],
): MentionedFollower[] {
  return inserts.flatMap(({ message, recipients }, index) =>
    followersAmong(organization, message, recipients.mentioned).map((userId) => ({ n: index + 1, userId, message })),
  )
}

export interface SendResult {
  readonly id: number
  readonly fresh: boolean
}

/** Slow mode refused the message. */
export interface TooSoon {
  readonly waitSeconds: number
}

/** `not begun`: the sender cannot start the conversation. `other request`: the key was used for another message. */
export type SendOutcome = SendResult | TooSoon | 'not begun' | 'other request'

export interface SendKey {
  readonly name: string
  readonly requestDigest: string
}

/** Hashes the request as sent, because a channel may be renamed. Omits parameters that change if a queue is lost. */
export function sendKeyOf({
  idempotency_key: name,
  type,
  to,
  topic,
  content,
  widget_content,
}: Input<typeof contract.sendMessage>): SendKey | null {
  if (name === undefined) return null
  const request = JSON.stringify([type, to, topic ?? null, content, widget_content ?? null])
  return { name, requestDigest: createHash('sha256').update(request).digest('base64') }
}

const FIRST_MESSAGE_WITH_KEY = `
  select message_id as id from send_keys
  where organization_id = $1 and user_id = $2 and key = $3 and request_digest = $4`

export async function firstMessageSentWith({ log, actor }: Call, key: SendKey): Promise<number | undefined> {
  const values = [log.organization.id, actor.userId, key.name, key.requestDigest]
  const [first] = await log.lookups.rows<{ id: number }>('first_sent', FIRST_MESSAGE_WITH_KEY, values)
  return first?.id
}

/** A retry of the request that was held for review finds the message. */
export async function storeSendKey(tx: Tx, userId: number, key: SendKey, messageId: number): Promise<void> {
  await tx.db
    .insertInto('send_keys')
    .values({
      organization_id: tx.organizationId,
      user_id: userId,
      key: key.name,
      request_digest: key.requestDigest,
      message_id: messageId,
      sent_at: tx.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
