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
import { followersOf } from '../../user-topics/queries.ts'
import { userById, userSetting } from '../../users/queries/index.ts'
import { readableMessageIds } from '../rules.ts'
import type { Move } from './plan.ts'

export async function postMoveNotices(tx: ActorTx, server: ServerFacts, moving: Move): Promise<void> {
  const { from, to, message, topic, resolves, notifies } = moving
  const posts: Post[] = []
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
