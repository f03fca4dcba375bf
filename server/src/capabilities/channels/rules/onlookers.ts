import { ROLE } from '../../../kernel/actor.ts'
import type { World } from '../../../kernel/fold.ts'
import type { Member } from '../../groups/rules.ts'
import { userById, usersFold } from '../../users/queries.ts'
import { peopleIn } from '../../users/queries/places.ts'
import { hasSheltered, isSheltered, maySee } from '../../users/rules/sight.ts'
import { sortedSubscribers, subscribersOf, type Channel } from '../queries.ts'
import { mayKnow } from '../rules.ts'

/*
 * A guest who sees only whom it meets may know of a channel by a permission alone. Of those who are subscribed it learns,
 * in lists, counts and events alike, just of those whom it sees. Whoever is subscribed meets all others who are.
 */

/** Whether the member, if it may know of the channel, learns just of those subscribers whom it sees. */
export function isOnlooker(world: World, member: Member, channelId: number): boolean {
  return isSheltered(world, member) && !peopleIn(world, channelId).has(member.userId)
}

/** Everybody of whom that is true and who may know of the channel. */
export function onlookersOf(world: World, channel: Channel): Member[] {
  if (!hasSheltered(world)) return []
  return [...world.of(usersFold).byId.values()]
    .filter(({ id, role }) => role === ROLE.guest && looksOn(world, id, channel))
    .map(({ id, role }) => ({ userId: id, role }))
}

/** Whether a guest may know of the channel, and is not in it. */
export function looksOn(world: World, guestId: number, channel: Channel): boolean {
  if (peopleIn(world, channel.id).has(guestId)) return false
  return mayKnow(world, { userId: guestId, role: ROLE.guest }, channel, 'unsubscribed')
}

/** The channel's subscribers of whom the member may learn, in the order of their ids. */
export function shownSubscribers(world: World, member: Member, channelId: number): readonly number[] {
  const all = sortedSubscribers(world, channelId)
  if (!isOnlooker(world, member, channelId)) return all
  return all.filter((userId) => {
    const user = userById(world, userId)
    return user !== undefined && maySee(world, member, user)
  })
}

/** How many they are. */
export function shownCount(world: World, member: Member, channelId: number): number {
  if (!isOnlooker(world, member, channelId)) return subscribersOf(world, channelId).size
  return shownSubscribers(world, member, channelId).length
}
