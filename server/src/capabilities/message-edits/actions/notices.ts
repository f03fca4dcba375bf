import type { ActorTx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { narrowUrl } from '../../../platform/markdown/narrow.ts'
import { isPlainName } from '../../../platform/markdown/place-link.ts'
import { subscribersOf, type Channel } from '../../channels/queries/index.ts'
import { RESOLVED_PREFIX } from '../../channels/contract/records.ts'
import { emitRead } from '../../flags/actions/changed.ts'
import { mentionOfActor, notice, postMessages, type NoticeDestination, type Post } from '../../messages/actions/post.ts'
import { markReadFor } from '../../flags/actions/unread.ts'
import { followersOf } from '../../user-topics/queries/index.ts'
import { userById, userSetting } from '../../users/queries/index.ts'
import { readableAmong } from '../rules/visibility.ts'
import type { Move } from './plan.ts'

/** Tells the topics that messages left and came to; a topic that is resolved, or no longer, only that. */
export async function postNotices(tx: ActorTx, server: ServerFacts, moving: Move): Promise<void> {
  const { from, to, message, topic, resolves, tells } = moving
  const posts: Post[] = []
  if (resolves) {
    const state = topic === RESOLVED_PREFIX + message.topic ? 'resolved' : 'unresolved'
    const place = { channel: to, topic }
    posts.push(await notice(tx, server, place, `${mentionOfActor(tx, place)} has marked this topic as ${state}.`))
  } else {
    const isTopic = movesTopic(moving)
    const verb = isTopic || movesOne(moving) ? 'was' : 'were'
    if (tells.old) {
      const what = subject(tx, moving, from)
      const elsewhere = to.id === from.id ? 'another topic' : 'another channel'
      const where = isReadIn(tx, from, to, message.id) ? linked(tx, server, to, topic) : elsewhere
      const origin = isTopic ? '' : ' from this topic'
      const place = { channel: from, topic: message.topic }
      const content = `${what} ${verb} moved${origin} to ${where} by ${moverIn(tx, place)}.`
      posts.push(await notice(tx, server, place, content))
    }
    if (tells.new) {
      const what = subject(tx, moving, to)
      const where = isReadIn(tx, to, from, message.id) ? ` from ${linked(tx, server, from, message.topic)}` : ''
      const place = { channel: to, topic }
      const content = `${what} ${verb} moved here${where} by ${moverIn(tx, place)}.`
      posts.push(await notice(tx, server, place, content))
    }
  }
  const [noticeId] = await postMessages(tx, posts)
  if (resolves && noticeId !== undefined) await readAsWished(tx, to, topic, noticeId)
}

/** The actor at the end of a sentence. */
function moverIn(tx: ActorTx, place: NoticeDestination): string {
  return mentionOfActor(tx, place, 'someone')
}

/*
 * The part of a topic that was moved. Of protected history a notice says what the request said, and counts nothing:
 * other messages in the topic, and whether they moved or stayed, are hidden from some readers of the notice.
 */

function movesTopic({ from, isWhole, mode }: Move): boolean {
  return from.historyPublic ? isWhole : mode === 'change_all'
}

function movesOne({ from, messageIds, mode }: Move): boolean {
  return from.historyPublic ? messageIds.length === 1 : mode === 'change_one'
}

/** The moved messages as a notice in a channel names them: it counts them only where all subscribers read them all. */
function subject(tx: ActorTx, moving: Move, channel: Channel): string {
  const { from, messageIds } = moving
  if (movesTopic(moving)) return 'This topic'
  if (movesOne(moving)) return 'A message'
  if (!from.historyPublic) return 'Messages'
  const readAll = everybodyReads(tx, channel, channel, messageIds)
  return readAll ? `${messageIds.length} messages` : 'Messages'
}

/**
 * Whether all subscribers of a channel read the message that a request named, which is in another channel or topic,
 * and so may know where it is: a notice must not tell of hidden messages. Other moved messages do not matter: some
 * readers of the notice may not know that they exist.
 */
function isReadIn(tx: ActorTx, channel: Channel, other: Channel, messageId: number): boolean {
  if (other.id !== channel.id && other.inviteOnly) return false
  return everybodyReads(tx, channel, other, [messageId])
}

/** Whether all subscribers of a channel read all of some messages in it, or in another channel. */
function everybodyReads(tx: ActorTx, channel: Channel, other: Channel, messageIds: readonly number[]): boolean {
  // All subscribers read all of a shared history, and there may be very many of both.
  if (other.id === channel.id && channel.historyPublic) return true
  return [...subscribersOf(tx.organization, channel.id)].every((userId) => {
    const role = userById(tx.organization, userId)?.role
    return role === undefined || readableAmong(tx.organization, { userId, role }, other, messageIds) === messageIds
  })
}

/** A link to a topic that Markdown takes for nothing else, whatever people called it. */
function linked(tx: ActorTx, server: ServerFacts, channel: Channel, topic: string): string {
  const isPlain = isPlainName(channel.name) && isPlainName(topic)
  return isPlain ? `#**${channel.name}>${topic}**` : server.urlOf(tx.organization) + narrowUrl(channel, topic)
}

/** A notice that a topic is resolved starts as read for users who do not want to be told. */
async function readAsWished(tx: ActorTx, channel: Channel, topic: string, messageId: number): Promise<void> {
  const followers = new Set(await followersOf(tx, channel.id, topic))
  const userIds = [...subscribersOf(tx.organization, channel.id)].filter((userId) => {
    const user = userById(tx.organization, userId)
    const policy = user === undefined ? 'never' : userSetting(user, 'resolved_topic_notice_auto_read_policy')
    return policy === 'always' || (policy === 'except_followed' && !followers.has(userId))
  })
  await markReadFor(tx, messageId, userIds)
  emitRead(tx, new Map(userIds.map((userId) => [userId, [messageId]])), { stream_id: channel.id, topic })
}
