import { createHash } from 'node:crypto'
import type { Output } from '../../../kernel/endpoint.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { Call } from '../../../platform/request.ts'
import { deleteSurplusStates } from './past-states.ts'
import { isMeMessage } from '../../../platform/markdown/renderer.ts'
import { channelById, subscribersOf, type Channel } from '../../channels/queries/index.ts'
import { rewriteRecipients } from '../../flags/actions/changed.ts'
import { rewriteContent } from '../../messages/actions/change.ts'
import { prepareContent, type PreparedContent, type MessageLocation } from '../../messages/actions/prepare.ts'
import { audienceOf, mayRead, messagesById, readableMessage, type StoredMessage } from '../../messages/queries/index.ts'
import { conversationOf } from '../../messages/queries/conversations.ts'
import { isWidget } from '../../messages/queries/submessages.ts'
import { recipientsOf } from '../../messages/rules/recipients.ts'
import { setting } from '../../organizations/queries/index.ts'
import { claimUploads } from '../../uploads/actions.ts'
import type { UploadedFile } from '../../uploads/contract.ts'
import { userById } from '../../users/queries/index.ts'
import type * as contract from '../contract/index.ts'
import type { MessageUpdate } from '../contract/index.ts'
import { requireMayRewrite } from '../rules/index.ts'
import { emitUpdate } from './emit.ts'
import { move } from './move.ts'
import { plannedMove, type UpdateInput } from './plan.ts'

/** Changes a message's content, its topic and its channel, as far as the request names them. */
export async function updateMessage(call: Call, input: UpdateInput): Promise<Output<typeof contract.updateMessage>> {
  requireSense(input)
  for (;;) {
    const prepared = input.content === undefined ? undefined : await prepare(call, input.message_id, input.content)
    const detached = await call.log.act(call.actor, (tx) => update(tx, call, input, prepared))
    if (detached !== undefined) return { detached_uploads: detached }
  }
}

/** What makes no sense whatever the message is. */
function requireSense({ content, topic, stream_id, propagate_mode }: UpdateInput): void {
  if (content === undefined && topic === undefined && stream_id === undefined) {
    throw new Refusal('BAD_REQUEST', 'Nothing to change')
  }
  if (content !== undefined && stream_id !== undefined) {
    throw new Refusal('BAD_REQUEST', 'Cannot change message content while changing channel')
  }
  if (propagate_mode !== 'change_one' && topic === undefined && stream_id === undefined) {
    throw new Refusal('BAD_REQUEST', 'Invalid propagate_mode without topic edit')
  }
}

/** The text of a message from which all content is taken; clients that cannot delete messages do so. */
const NOTHING_LEFT = '(deleted)'

/** A new content, and the place where its message stood when it was prepared. */
interface Prepared {
  readonly content: PreparedContent
  readonly place: MessageLocation
}

/** Checks and renders the new content, for an actor who may read the message: others learn nothing of its place. */
async function prepare({ log, actor, server, reads }: Call, messageId: number, text: string): Promise<Prepared> {
  const { organization } = log
  const message = (await messagesById(reads, organization.id, [messageId])).get(messageId)
  if (message === undefined || !mayRead(organization, actor, message))
    throw new Refusal('BAD_REQUEST', 'Invalid message(s)')
  const wanted = text.trim() === '' ? NOTHING_LEFT : text
  const content = await prepareContent({ organization, db: reads, server }, actor, message, wanted)
  return { content, place: message }
}

/** @returns the actor's own files that no message links any more; undefined where the message was moved meanwhile */
async function update(
  tx: ActorTx,
  call: Call,
  input: UpdateInput,
  prepared: Prepared | undefined,
): Promise<UploadedFile[] | undefined> {
  const message = await readableMessage(tx, input.message_id)
  // The meaning of the text depends on the place of the message.
  if (prepared !== undefined && !isSameLocation(prepared.place, message)) return undefined
  const content = prepared?.content
  const channel = message.channelId === null ? undefined : channelById(tx.organization, message.channelId)
  if (channel?.isArchived === true) throw new Refusal('BAD_REQUEST', 'The channel is archived.')
  if (channel === undefined && input.topic !== undefined) {
    throw new Refusal('BAD_REQUEST', 'Direct messages cannot have topics.')
  }
  if (channel === undefined && input.stream_id !== undefined) {
    throw new Refusal('BAD_REQUEST', 'Direct messages cannot be moved to channels.')
  }
  requireExpected(message, input.prev_content_sha256)
  if (content !== undefined) {
    requireMayRewrite(tx.organization, tx.actor, message, tx.now)
    if (await isWidget(tx, message.id)) throw new Refusal('BAD_REQUEST', 'Widgets cannot be edited.')
  }
  const moving = channel === undefined ? undefined : await plannedMove(tx, message, channel, input)
  // One position for both, so that the history shows one change.
  const position = tx.nextId()
  let detached: UploadedFile[] = []
  if (content !== undefined && content.content !== message.content) {
    detached = await claimUploads(tx, message.id, content.uploadIds)
    await rewrite(tx, message, channel, content, position)
  }
  if (moving !== undefined) await move(tx, call.server, moving, position)
  return detached
}

function isSameLocation(one: MessageLocation, other: MessageLocation): boolean {
  return one.channelId === other.channelId && one.topic === other.topic
}

function requireExpected(message: StoredMessage, expected: string | undefined): void {
  if (expected === undefined) return
  const actual = createHash('sha256').update(message.content).digest('hex')
  if (expected.toLowerCase() !== actual) {
    throw new Refusal('EXPECTATION_MISMATCH', "'prev_content_sha256' value does not match the expected value.")
  }
}

async function rewrite(
  tx: ActorTx,
  message: StoredMessage,
  channel: Channel | undefined,
  prepared: PreparedContent,
  position: number,
): Promise<void> {
  const { content, renderedContent, facts } = prepared
  await rewriteContent(tx, message.id, prepared)
  await rewriteRecipients(
    tx,
    message.id,
    recipientsOf(tx.organization, message, facts, { senderId: message.senderId, readBySender: false }),
  )
  await tx.db
    .insertInto('message_edits')
    .values({
      organization_id: tx.organizationId,
      message_id: message.id,
      position,
      user_id: tx.actor.userId,
      date_edited: tx.now,
      prev_content: message.content,
      prev_rendered_content: message.renderedContent,
    })
    .execute()
  await deleteSurplusStates(tx, message.id)
  const shownBefore =
    setting(tx.organization, 'message_edit_history_visibility_policy') === 'all'
      ? { orig_content: message.content, orig_rendered_content: message.renderedContent }
      : {}
  const change: Omit<MessageUpdate, 'flags' | 'message_id'> = {
    user_id: tx.actor.userId,
    rendering_only: false,
    message_ids: [message.id],
    edit_timestamp: tx.now,
    ...(channel === undefined ? {} : { stream_id: channel.id, stream_name: channel.name }),
    ...shownBefore,
    content,
    rendered_content: renderedContent,
    is_me_message: isMeMessage(content, renderedContent),
    conversation: conversationOf(message),
  }
  if (channel === undefined) {
    await emitUpdate(tx, change, message.id, message.memberIds ?? [])
    return
  }
  const subscribers = [...subscribersOf(tx.organization, channel.id)].filter((userId) => {
    const role = userById(tx.organization, userId)?.role
    return role !== undefined && mayRead(tx.organization, { userId, role }, message)
  })
  await emitUpdate(tx, change, message.id, [...new Set([...subscribers, tx.actor.userId])], {
    audience: audienceOf(tx.organization, message),
    userIds: new Set(subscribers),
  })
}
