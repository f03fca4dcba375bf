import type { World } from '../../../kernel/fold.ts'
import { subscribersOf, wasSubscribed, type Channel } from '../../channels/queries.ts'
import { readable } from '../../channels/rules.ts'
import type { Member } from '../../groups/rules.ts'
import { userById } from '../../users/queries.ts'

/** Which of some messages somebody sees after they moved. Lists that hold all of them are the same list. */
export interface Sight {
  /** Seen before and after. */
  readonly known: readonly number[]
  readonly gained: readonly number[]
  readonly lost: readonly number[]
}

const NONE: readonly number[] = []

/** Those of a channel's messages that the member may read. */
export function readableAmong(
  world: World,
  member: Member,
  channel: Channel,
  messageIds: readonly number[],
): readonly number[] {
  switch (readable(world, member, channel)) {
    case 'all':
      return messageIds
    case 'none':
      return NONE
    case 'subscribed': {
      const seen = messageIds.filter((messageId) => wasSubscribed(world, member.userId, channel.id, messageId))
      return seen.length === messageIds.length ? messageIds : seen
    }
  }
}

/** Whether a user may read any of a channel's messages. */
export function sees(world: World, userId: number, channel: Channel, messageIds: readonly number[]): boolean {
  const role = userById(world, userId)?.role
  return role !== undefined && readableAmong(world, { userId, role }, channel, messageIds).length > 0
}

/** What becomes of the messages for everybody who is there to hear of it, in the channel they leave or come to. */
export function sightsOf(
  world: World,
  messageIds: readonly number[],
  from: Channel,
  to: Channel,
  actorIds: readonly number[],
): Map<number, Sight> {
  const hearers = new Set([...subscribersOf(world, from.id), ...subscribersOf(world, to.id), ...actorIds])
  const sights = new Map<number, Sight>()
  for (const userId of hearers) {
    const role = userById(world, userId)?.role
    if (role === undefined) continue
    const member = { userId, role }
    const before = readableAmong(world, member, from, messageIds)
    const after = to.id === from.id ? before : readableAmong(world, member, to, messageIds)
    sights.set(userId, compare(before, after))
  }
  return sights
}

function compare(before: readonly number[], after: readonly number[]): Sight {
  if (before === after) return { known: before, gained: NONE, lost: NONE }
  if (before.length === 0) return { known: NONE, gained: after, lost: NONE }
  if (after.length === 0) return { known: NONE, gained: NONE, lost: before }
  const [had, has] = [new Set(before), new Set(after)]
  return {
    known: before.filter((messageId) => has.has(messageId)),
    gained: after.filter((messageId) => !had.has(messageId)),
    lost: before.filter((messageId) => !has.has(messageId)),
  }
}

/** Users who see the same. */
interface Sharing {
  readonly messageIds: readonly number[]
  readonly userIds: number[]
}

/** The users who share a list of messages, for each list that is not empty. */
export function byMessages(sights: ReadonlyMap<number, Sight>, part: keyof Sight): Sharing[] {
  // Those whose lists are as long, and begin and end alike: nearly always one. A text of all ids would take long to make.
  const alike = new Map<string, Sharing[]>()
  for (const [userId, { [part]: messageIds }] of sights) {
    if (messageIds.length === 0) continue
    const likeness = `${messageIds.length} ${messageIds[0]} ${messageIds.at(-1)}`
    const found = alike.get(likeness) ?? []
    const same = found.find((sharing) => isSame(sharing.messageIds, messageIds))
    if (same === undefined) alike.set(likeness, [...found, { messageIds, userIds: [userId] }])
    else same.userIds.push(userId)
  }
  return [...alike.values()].flat()
}

/** Of lists of the same length. */
function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one === other || one.every((id, index) => id === other[index])
}
