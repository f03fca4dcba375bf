import type { ActorTx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/capability.ts'
import { narrowUrl } from '../../../platform/markdown/narrow.ts'
import { subscribersOf, type Channel } from '../../channels/queries.ts'
import { mayKnow } from '../../channels/rules.ts'
import { RESOLVED_PREFIX } from '../../channels/rules/topics.ts'
import { announceRead } from '../../flags/actions.ts'
import { isPlainName, mentionOfActor, notice, postMessages, type Post } from '../../messages/actions/post.ts'
import { markReadFor } from '../../unread/actions.ts'
import { followersOf } from '../../user-topics/queries.ts'
import { userById, userSetting } from '../../users/queries.ts'
import type { Move } from './move.ts'

/** Tells the topics that messages left and came to; a topic that is resolved, or no longer, only that. */
export async function postNotices(tx: ActorTx, server: ServerFacts, moving: Move): Promise<void> {
  const { from, to, message, topic, resolves, tells, messageIds, isWhole } = moving
  const posts: Post[] = []
  const actor = mentionOfActor(tx)
  if (resolves) {
    const state = topic === RESOLVED_PREFIX + message.topic ? 'resolved' : 'unresolved'
    posts.push(await notice(tx, server, { channel: to, topic }, `${actor} has marked this topic as ${state}.`))
  } else {
    const what = isWhole ? 'This topic' : messageIds.length === 1 ? 'A message' : `${messageIds.length} messages`
    const verb = isWhole || messageIds.length === 1 ? 'was' : 'were'
    if (tells.old) {
      const where = isKnownIn(tx, to, from) ? linked(tx, server, to, topic) : 'another channel'
      const origin = isWhole ? '' : ' from this topic'
      const content = `${what} ${verb} moved${origin} to ${where} by ${actor}.`
      posts.push(await notice(tx, server, { channel: from, topic: message.topic }, content))
    }
    if (tells.new) {
      const where = isKnownIn(tx, from, to) ? ` from ${linked(tx, server, from, message.topic)}` : ''
      const content = `${what} ${verb} moved here${where} by ${actor}.`
      posts.push(await notice(tx, server, { channel: to, topic }, content))
    }
  }
  const [noticeId] = await postMessages(tx, posts)
  if (resolves && noticeId !== undefined) await readAsWished(tx, to, topic, noticeId)
}

/** Whether everybody in a channel may know of the other: a notice must not tell of a hidden one. */
function isKnownIn(tx: ActorTx, other: Channel, channel: Channel): boolean {
  if (other.id === channel.id) return true
  if (other.inviteOnly) return false
  return [...subscribersOf(tx.world, channel.id)].every((userId) => {
    const role = userById(tx.world, userId)?.role
    return role === undefined || mayKnow(tx.world, { userId, role }, other)
  })
}

/** A link to a topic that Markdown takes for nothing else, whatever people called it. */
function linked(tx: ActorTx, server: ServerFacts, channel: Channel, topic: string): string {
  const isPlain = isPlainName(channel.name) && isPlainName(topic)
  return isPlain ? `#**${channel.name}>${topic}**` : server.urlOf(tx.world) + narrowUrl(channel, topic)
}

/** A notice that a topic is settled is read for whoever does not want to hear of it. */
async function readAsWished(tx: ActorTx, channel: Channel, topic: string, messageId: number): Promise<void> {
  const followers = new Set(await followersOf(tx, channel.id, topic))
  const userIds = [...subscribersOf(tx.world, channel.id)].filter((userId) => {
    const user = userById(tx.world, userId)
    const policy = user === undefined ? 'never' : userSetting(user, 'resolved_topic_notice_auto_read_policy')
    return policy === 'always' || (policy === 'except_followed' && !followers.has(userId))
  })
  await markReadFor(tx, messageId, userIds)
  announceRead(tx, new Map(userIds.map((userId) => [userId, [messageId]])))
}
