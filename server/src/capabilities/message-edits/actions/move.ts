import { createYielder } from '../../../kernel/pauses.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { refreshFirstMessage } from '../../channels/actions/access.ts'
import { isSubscribed, positionsWithin, subscribedPeriods, type Channel } from '../../channels/queries/index.ts'
import { moveSlowMode } from '../../community/actions.ts'
import { emitMessagesRead, flagsOnMessages, deleteFlags } from '../../flags/actions/changed.ts'
import { linksInTopics } from '../../linkifiers/queries.ts'
import { moveMessages, moveTopic, topicNameOf } from '../../messages/actions/change.ts'
import { messagesById, type StoredMessage } from '../../messages/queries/index.ts'
import { movePins } from '../../pins/actions.ts'
import { unreadSpans, type Span } from '../../flags/queries/unread.ts'
import { emitAttachmentLinksIn } from '../../uploads/actions.ts'
import { movePolicies, type PolicyMoveEffect } from '../../user-topics/actions/index.ts'
import { userById } from '../../users/queries/index.ts'
import type { MessageUpdate } from '../contract.ts'
import { usersByMessages, seesAnyMessage, visibilityByUser, type Visibility } from '../rules.ts'
import { emitMessageDeletion, emitMessageUpdate } from './emit.ts'
import { recordEditHistory, copyTopicMoves } from './history.ts'
import { postMoveNotices } from './notices.ts'
import { isRenaming, type Move } from './plan.ts'

export async function moveMessagesAndNotify(
  tx: ActorTx,
  server: ServerFacts,
  moving: Move,
  position: number,
): Promise<void> {
  const { from, to, message, names, topic, messageIds, isWhole, existing } = moving
  const source = { channelId: from.id, topicId: message.topicId }
  const visibility = visibilityByUser(tx.organization, messageIds, from, to, [tx.actor.userId])
  const [first = 0, last = 0] = [messageIds[0], messageIds.at(-1)]
  const unread =
    to.id === from.id
      ? new Map<number, readonly Span[]>()
      : await unreadSpans(tx.db, tx.organizationId, source, [first, last])
  const flagged = to.id === from.id ? [] : await flagsOnMessages(tx, messageIds)
  const staysRow = isWhole && existing === undefined
  const isOneChange = staysRow && names.spelled.size === 0
  if (!isOneChange) await copyTopicMoves(tx, message.topicId, messageIds)
  if (staysRow) await moveTopic(tx, source, { channelId: to.id, topic }, messageIds)
  else await moveMessages(tx, source, { channelId: to.id, topic, existing }, messageIds)
  await recordEditHistory(tx, moving, position, isOneChange ? { topicId: message.topicId } : { messageIds })
  const lost = flagged.filter((row) => losesAccess(tx, row, from, to))
  await emitMoveEvents(tx, moving, visibility)
  await movePins(tx, from, to, messageIds)
  if (to.id !== from.id) {
    emitMessagesRead(tx, await messagesReadByMove(tx, moving, visibility, unread), { stream_id: to.id, topic })
    const losing = usersByMessages(visibility, 'lost').flatMap(({ userIds }) => userIds)
    await deleteFlags(tx, lost, new Set(losing))
    await emitAttachmentLinksIn(tx, messageIds)
  }
  await movePolicies(tx, { channelId: from.id, topic: message.topic }, { channelId: to.id, topic }, (userId) =>
    effectOnTopicPolicy(tx, userId, moving),
  )
  if (isRenaming(moving)) await moveSlowMode(tx, from.id, message.topic, topic)
  await postMoveNotices(tx, server, moving)
  if (to.id === from.id) return
  for (const channel of [from, to]) await refreshFirstMessage(tx, channel)
}

function losesAccess(
  tx: ActorTx,
  row: { readonly user_id: number; readonly message_id: number },
  from: Channel,
  to: Channel,
): boolean {
  const seesIn = (channel: Channel): boolean => seesAnyMessage(tx.organization, row.user_id, channel, [row.message_id])
  return seesIn(from) && !seesIn(to)
}

function effectOnTopicPolicy(
  tx: ActorTx,
  userId: number,
  { from, to, messageIds, leftIds, existing }: Move,
): PolicyMoveEffect {
  if (
    // After reactivation, a moved policy would reveal the new name even to a user who has lost access meanwhile.
    userById(tx.organization, userId)?.isActive !== true ||
    !seesAnyMessage(tx.organization, userId, from, messageIds) ||
    seesAnyMessage(tx.organization, userId, from, leftIds)
  )
    return 'stays'
  if (!seesAnyMessage(tx.organization, userId, to, messageIds)) return 'loses'
  return existing !== undefined && seesAnyMessage(tx.organization, userId, to, existing.messageIds)
    ? 'merges'
    : 'goes along'
}

async function emitMoveEvents(tx: ActorTx, moving: Move, visibility: ReadonlyMap<number, Visibility>): Promise<void> {
  const { from, to, message, mode, names, topic } = moving
  const common = { user_id: tx.actor.userId, rendering_only: false, edit_timestamp: tx.now }
  const links = await linksInTopics(tx.organization, [topic])
  const leadOf = (ids: readonly number[]): number => (ids.includes(message.id) ? message.id : (ids[0] ?? message.id))
  for (const { messageIds: ids, userIds } of usersByMessages(visibility, 'known')) {
    const lead = leadOf(ids)
    const update: Omit<MessageUpdate, 'flags' | 'message_id'> = {
      ...common,
      message_ids: [...ids],
      stream_id: from.id,
      stream_name: from.name,
      ...(to.id === from.id ? {} : { new_stream_id: to.id }),
      propagate_mode: mode,
      orig_subject: topicNameOf(names, lead),
      subject: topic,
      topic_links: [...(links.get(topic) ?? [])],
      conversation: { stream_id: to.id, topic },
    }
    // All subscribers see the same messages only if the move stays within a channel with shared history.
    const isShared = to.id === from.id && from.historyPublic
    const everybody = new Set(isShared ? userIds.filter((id) => isSubscribed(tx.organization, id, from.id)) : [])
    await emitMessageUpdate(tx, update, await requireMovedMessage(tx, lead), {
      everybody,
      others: userIds.filter((id) => !everybody.has(id)),
      ...(isShared ? { audience: { channel: from.id } } : {}),
    })
  }
  for (const { messageIds: ids, userIds } of usersByMessages(visibility, 'gained')) {
    const conversation = { stream_id: to.id, topic }
    const update = { ...common, message_ids: [...ids], stream_id: to.id, stream_name: to.name, conversation }
    await emitMessageUpdate(tx, update, await requireMovedMessage(tx, leadOf(ids)), {
      everybody: new Set(),
      others: userIds,
    })
  }
  for (const { messageIds: ids, userIds } of usersByMessages(visibility, 'lost')) {
    const place = { message_type: 'stream', stream_id: from.id, topic: topicNameOf(names, ids[0]) } as const
    emitMessageDeletion(tx, place, ids, { users: userIds })
  }
}

async function requireMovedMessage(tx: ActorTx, messageId: number): Promise<StoredMessage> {
  const message = (await messagesById(tx.db, tx.organizationId, [messageId])).get(messageId)
  if (message === undefined) throw new Error(`message ${messageId} is gone`)
  return message
}

async function messagesReadByMove(
  tx: ActorTx,
  { from, to }: Move,
  visibility: ReadonlyMap<number, Visibility>,
  unread: ReadonlyMap<number, readonly Span[]>,
): Promise<Map<number, readonly number[]>> {
  const readByUser = new Map<number, readonly number[]>()
  const pause = createYielder()
  for (const [userId, { known }] of visibility) {
    await pause()
    if (known.length === 0) continue
    const spans = unread.get(userId) ?? []
    const ended = subscribedPeriods(tx.organization, userId, from.id).filter(([, end]) => end !== null)
    const notSince = positionsWithin(known, [[0, subscriptionStart(tx, userId, to.id)]])
    const read = [
      positionsWithin(positionsWithin(known, ended), gapsBetween(spans)),
      positionsWithin(notSince, spans),
    ].filter((ids) => ids.length > 0)
    const [only] = read
    if (only !== undefined)
      readByUser.set(userId, read.length === 1 ? only : read.flat().toSorted((one, other) => one - other))
  }
  return readByUser
}

function gapsBetween(spans: readonly Span[]): [start: number, end: number | null][] {
  return [0, ...spans.map(([, end]) => end)].map((start, index) => [start, spans[index]?.[0] ?? null])
}

/** Returns Infinity if the user is not subscribed. */
function subscriptionStart(tx: ActorTx, userId: number, channelId: number): number {
  const present = subscribedPeriods(tx.organization, userId, channelId).at(-1)
  return present?.[1] === null ? present[0] : Infinity
}
