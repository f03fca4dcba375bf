import { escapeMarkdown } from '../../../platform/markdown/escape.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { PreparationCall } from '../../../platform/request.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { addAuditEntry } from '../../audit-log/actions.ts'
import { channelById, type Channel } from '../../channels/queries/index.ts'
import { canSeeChannel } from '../../channels/rules/index.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import { storeDraftIfPossible } from '../../drafts/actions.ts'
import { fenceText, postMessages, prepareNotice } from '../../messages/actions/post.ts'
import { prepareMessage, type PreparedContent } from '../../messages/actions/prepare.ts'
import { storeSendKey } from '../../messages/actions/send/outgoing.ts'
import { validateWidget } from '../../messages/actions/submessages.ts'
import { requireMayStillPost } from '../../messages/queries/newcomers.ts'
import { sendableChannel, validateTopic } from '../../messages/rules/index.ts'
import { userById, type UserRow } from '../../users/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import { noSuchHeldMessageError, heldMessageById, requireReviewable, type StoredHeldMessage } from '../queries.ts'
import { deleteHeldMessage } from './hold.ts'

interface PreparedApproval {
  readonly held: StoredHeldMessage
  readonly prepared: PreparedContent
}

/** Renders the message again: names and permissions may have changed since it was held. */
export async function prepareApproval(
  { log, reads, server, actor }: PreparationCall,
  { held_message_id: id }: Input<typeof contract.approveHeldMessage>,
): Promise<PreparedApproval> {
  const { organization } = log
  const held = await requireReviewable({ db: reads, organizationId: organization.id, organization, actor }, id)
  const { id: userId, role } = knownUser(organization, held.author_id)
  const place = { channelId: held.stream_id, topic: held.topic }
  const scope = held.is_scoped ? { token: { channelIds: new Set([held.stream_id]) } } : {}
  const author = { userId, role, ...scope }
  const prepared = await prepareMessage({ organization, db: reads, server }, author, place, held.content)
  return { held, prepared: { ...prepared, widget: validateWidget(held.widget ?? undefined) ?? prepared.widget } }
}

/** Repeats the checks of sending for the author, because permissions may have changed. */
export async function approveHeldMessage(
  tx: ActorTx,
  _input: Input<typeof contract.approveHeldMessage>,
  { held, prepared }: PreparedApproval,
): Promise<Output<typeof contract.approveHeldMessage>> {
  await requireReviewable(tx, held.held_message_id)
  const author = userById(tx.organization, held.author_id)
  if (author?.isActive !== true) throw new ApiError('BAD_REQUEST', 'Account is deactivated')
  const member = { userId: author.id, role: author.role }
  const place = channelById(tx.organization, held.stream_id)
  if (place === undefined || !canSeeChannel(tx.organization, member, place)) {
    throw new ApiError('BAD_REQUEST', 'The author can no longer see this channel.')
  }
  const channel = sendableChannel(tx.organization, member, place.id)
  const topic = validateTopic(tx.organization, channel, held.topic)
  requireMayStillPost(tx.organization, { userId: author.id }, channel.id)
  const { sender_id: senderId, client } = held
  await deleteHeldMessage(tx, held)
  const [id] = await postMessages(tx, [
    { ...prepared, place: { channel, topic }, senderId, client, readBySender: true },
  ])
  if (id === undefined) throw new Error('the message was not posted')
  const { send_key: name, request_digest: requestDigest } = held
  if (name !== null && requestDigest !== null) await storeSendKey(tx, author.id, { name, requestDigest }, id)
  await addReviewAuditEntry(tx, channel, 'message_approved', author)
  return { id }
}

export async function rejectHeldMessage(
  tx: ActorTx,
  { held_message_id: heldMessageId, reason }: Input<typeof contract.rejectHeldMessage>,
  server: ServerFacts,
): Promise<Record<string, never>> {
  const held = await requireReviewable(tx, heldMessageId)
  const author = knownUser(tx.organization, held.author_id)
  await deleteHeldMessage(tx, held)
  const channel = channelById(tx.organization, held.stream_id)
  if (author.isActive && author.botType === null) {
    const { stream_id: channelId, topic, content } = held
    await storeDraftIfPossible(tx, author.id, { type: 'stream', to: [channelId], topic, content, timestamp: tx.now })
    const member = { userId: author.id, role: author.role }
    const isVisible = channel !== undefined && canSeeChannel(tx.organization, member, channel)
    const notice = rejectionText(isVisible ? channel : undefined, held, reason)
    await postMessages(tx, [await prepareNotice(tx, server, { userId: author.id }, notice)])
  }
  if (channel !== undefined) await addReviewAuditEntry(tx, channel, 'message_rejected', author)
  return {}
}

/** Names the channel only if the author can still see it. */
function rejectionText(channel: Channel | undefined, { topic, content }: StoredHeldMessage, reason: string): string {
  const place = channel === undefined ? '' : ` in ${escapeMarkdown(`#${channel.name} > ${presentTopic(topic, false)}`)}`
  const parts = [
    `A moderator rejected your message${place}. You can find its text in your [drafts](#drafts).`,
    ...(reason.trim() === '' ? [] : ['**Reason:**', fenceText(reason)]),
    '**Message:**',
    fenceText(content),
  ]
  return parts.join('\n\n')
}

/** Administrators can read the audit log but not all private channels, so the log omits the text. */
async function addReviewAuditEntry(tx: ActorTx, { id, name }: Channel, action: string, author: UserRow): Promise<void> {
  await addAuditEntry(tx, {
    kind: 'reports',
    action,
    target: { type: 'channel', id, name },
    changes: [{ property: 'author', to: author.id }],
  })
}

/** Other people's messages get the same error as missing ones. */
export async function withdrawHeldMessage(
  tx: ActorTx,
  { held_message_id: id }: Input<typeof contract.withdrawHeldMessage>,
): Promise<Record<string, never>> {
  const held = await heldMessageById(tx.db, tx.organizationId, id)
  if (held?.author_id !== tx.actor.userId) throw noSuchHeldMessageError()
  await deleteHeldMessage(tx, held)
  return {}
}
