import { caseKey } from '../../../kernel/case-key.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { narrowUrl, isUnescapedName } from '../../../platform/markdown/narrow.ts'
import { subscribersOf, type Channel } from '../../channels/queries/index.ts'
import { isSentWhileWebPublic } from '../../channels/rules/index.ts'
import { RESOLVED_PREFIX } from '../../channels/contract/records.ts'
import { emitMessagesRead } from '../../flags/actions/changed.ts'
import {
  mentionOfActor,
  prepareNotice,
  postMessages,
  type NoticeDestination,
  type Post,
} from '../../messages/actions/post.ts'
import { markReadFor } from '../../flags/actions/unread.ts'
import { messagesById } from '../../messages/queries/index.ts'
import { reactionsOf } from '../../reactions/queries.ts'
import { followersOf } from '../../user-topics/queries.ts'
import { notificationBot, userById, userSetting } from '../../users/queries/index.ts'
import { editsOf, type StoredEdit } from '../queries/index.ts'
import { readableMessageIds } from '../rules.ts'
import { deleteFromTopic } from './delete.ts'
import type { Move } from './plan.ts'

export async function postMoveNotices(tx: ActorTx, server: ServerFacts, moving: Move): Promise<void> {
  const { from, to, message, topic, resolves, notifies } = moving
  const posts: Post[] = []
  if (resolves && !notifies.resolution) return
  if (resolves) {
    const state = topic === RESOLVED_PREFIX + message.topic ? 'resolved' : 'unresolved'
    const place = { channel: to, topic }
    posts.push(
      await prepareNotice(tx, server, place, `${mentionOfActor(tx, place)} has marked this topic as ${state}.`),
    )
  } else {
    const isTopic = movesWholeTopic(moving)
    const verb = isTopic || isSingleMove(moving) ? 'was' : 'were'
    if (notifies.old) {
      const what = movedMessagesText(tx, moving, from)
      const elsewhere = to.id === from.id ? 'another topic' : 'another channel'
      const where = mayRevealLocation(tx, from, to, message.id) ? linkToTopic(tx, server, to, topic) : elsewhere
      const origin = isTopic ? '' : ' from this topic'
      const place = { channel: from, topic: message.topic }
      const content = `${what} ${verb} moved${origin} to ${where} by ${mentionOfMover(tx, place)}.`
      posts.push(await prepareNotice(tx, server, place, content))
    }
    if (notifies.new) {
      const what = movedMessagesText(tx, moving, to)
      const where = mayRevealLocation(tx, to, from, message.id)
        ? ` from ${linkToTopic(tx, server, from, message.topic)}`
        : ''
      const place = { channel: to, topic }
      const content = `${what} ${verb} moved here${where} by ${mentionOfMover(tx, place)}.`
      posts.push(await prepareNotice(tx, server, place, content))
    }
  }
  const causedBy = tx.actor.userId
  const [noticeId] = await postMessages(
    tx,
    posts.map((post) => ({ ...post, causedBy })),
  )
  if (resolves && noticeId !== undefined) await markNoticeReadByPolicy(tx, to, topic, noticeId)
}

/** Clients offer to undo a move for as long. */
const NOTICE_WITHDRAWAL_SECONDS = 5 * 60

/**
 * Deletes the notices about an earlier move that this move undoes. Keeps notices with reactions, and a notice about
 * resolving that people may have answered.
 *
 * @returns whether it deleted any
 */
export async function withdrawNotices(tx: ActorTx, moving: Move): Promise<boolean> {
  const { from, to, message, messageIds, leftIds, existing, resolves } = moving
  const last = (await editsOf(tx.db, tx.organizationId, [message.id])).get(message.id)?.findLast(isMove)
  if (last === undefined || !takesBack(tx, moving, last)) return false
  const ids = [...messageIds, ...leftIds, ...(existing?.messageIds ?? [])].filter((id) => id > last.position)
  const newest = Math.max(...ids)
  const later = [...(await messagesById(tx.db, tx.organizationId, ids)).values()]
  const reactions = await reactionsOf(tx.db, tx.organizationId, ids)
  const botId = notificationBot(tx.organization).id
  // The move and its notices were written in one transaction, so they have the same time.
  const notices = later.filter(
    ({ id, senderId, dateSent }) =>
      id !== message.id &&
      senderId === botId &&
      dateSent === last.date_edited &&
      !reactions.has(id) &&
      (!resolves || id === newest),
  )
  for (const { id, channelId, topicId } of notices) {
    await deleteFromTopic(tx, channelId === from.id ? from : to, topicId, [id], tx.actor)
  }
  return notices.length > 0
}

function isMove({ topic }: StoredEdit): boolean {
  return topic !== null
}

/** Whether the move returns messages to where the same user took them from a moment ago. */
function takesBack({ actor, now }: ActorTx, { from, to, topic }: Move, last: StoredEdit): boolean {
  return (
    last.user_id === actor.userId &&
    last.date_edited >= now - NOTICE_WITHDRAWAL_SECONDS &&
    (last.prev_channel_id ?? from.id) === to.id &&
    caseKey(last.prev_topic ?? '') === caseKey(topic)
  )
}

function mentionOfMover(tx: ActorTx, place: NoticeDestination): string {
  return mentionOfActor(tx, place, 'someone')
}

/* In protected history, notices describe the request, because actual counts would reveal hidden messages. */

function movesWholeTopic({ from, isWhole, mode }: Move): boolean {
  return from.historyPublic ? isWhole : mode === 'change_all'
}

function isSingleMove({ from, messageIds, mode }: Move): boolean {
  return from.historyPublic ? messageIds.length === 1 : mode === 'change_one'
}

function movedMessagesText(tx: ActorTx, moving: Move, channel: Channel): string {
  const { from, messageIds } = moving
  if (movesWholeTopic(moving)) return 'This topic'
  if (isSingleMove(moving)) return 'A message'
  if (!from.historyPublic) return 'Messages'
  const readAll = canEveryoneRead(tx, channel, channel, messageIds)
  return readAll ? `${messageIds.length} messages` : 'Messages'
}

/** Whether a notice in `channel` may reveal that the message was moved to or from `other`. */
function mayRevealLocation(tx: ActorTx, channel: Channel, other: Channel, messageId: number): boolean {
  if (other.id !== channel.id && other.inviteOnly) return false
  return canEveryoneRead(tx, channel, other, [messageId])
}

/** Whether all readers of notices in `channel` can read these messages in `other`. */
function canEveryoneRead(tx: ActorTx, channel: Channel, other: Channel, messageIds: readonly number[]): boolean {
  // Even if spectators are not allowed now: they can read this notice once they are.
  if (channel.isWebPublic && !messageIds.every((id) => isSentWhileWebPublic(other, id))) return false
  // Shortcut: with shared history, all subscribers can read every message.
  if (other.id === channel.id && channel.historyPublic) return true
  return [...subscribersOf(tx.organization, channel.id)].every((userId) => {
    const role = userById(tx.organization, userId)?.role
    return role === undefined || readableMessageIds(tx.organization, { userId, role }, other, messageIds) === messageIds
  })
}

function linkToTopic(tx: ActorTx, server: ServerFacts, channel: Channel, topic: string): string {
  const isPlain = isUnescapedName(channel.name) && isUnescapedName(topic)
  return isPlain ? `#**${channel.name}>${topic}**` : server.urlOf(tx.organization) + narrowUrl(channel, topic)
}

async function markNoticeReadByPolicy(tx: ActorTx, channel: Channel, topic: string, messageId: number): Promise<void> {
  const followers = new Set(await followersOf(tx, channel.id, topic))
  const userIds = [...subscribersOf(tx.organization, channel.id)].filter((userId) => {
    const user = userById(tx.organization, userId)
    const policy = user === undefined ? 'never' : userSetting(user, 'resolved_topic_notice_auto_read_policy')
    return policy === 'always' || (policy === 'except_followed' && !followers.has(userId))
  })
  await markReadFor(tx, messageId, userIds)
  emitMessagesRead(tx, new Map(userIds.map((userId) => [userId, [messageId]])), { stream_id: channel.id, topic })
}
