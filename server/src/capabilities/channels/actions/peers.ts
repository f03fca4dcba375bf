import type { Audience } from '../../../kernel/audience.ts'
import type { World } from '../../../kernel/fold.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { Member } from '../../groups/rules.ts'
import { seenSoFar, withPlacesSoFar, type Sighting } from '../../users/actions/sight.ts'
import { userById } from '../../users/queries.ts'
import { placesOf } from '../../users/queries/places.ts'
import { peersAdded, peersRemoved } from '../contract/index.ts'
import { channelById, type Channel } from '../queries.ts'
import { audienceKnowing, clientsKnowing } from '../rules.ts'
import { isOnlooker, looksOn, onlookersOf, shownSubscribers } from '../rules/onlookers.ts'

/** Both are of one type. */
type PeersEvent = typeof peersAdded
type Clients = Pick<Audience, 'clients'>

/** Tells that users came into a channel or left it. */
export function emitPeers(
  tx: Tx,
  event: PeersEvent,
  channel: Channel,
  userIds: readonly number[],
  audience: Audience,
): void {
  tx.emit(event, { stream_ids: [channel.id], user_ids: userIds.toSorted((a, b) => a - b) }, audience)
}

/** Tells everybody else who may know of the channel, onlookers only of those whom they see. */
export function tellPeers(tx: Tx, event: PeersEvent, channel: Channel, userIds: readonly number[]): void {
  const own = new Set(userIds)
  const onlookers = onlookersOf(withPlacesSoFar(tx), channel).filter(({ userId }) => !own.has(userId))
  const except = [...userIds, ...onlookers.map(({ userId }) => userId)]
  emitPeers(tx, event, channel, userIds, { ...audienceKnowing(tx.world, channel), except })
  tellOfSeen(tx, event, channel, userIds, onlookers, clientsKnowing(channel))
}

/** Tells each of the members of those among the users whom it sees. */
export function tellOfSeen(
  tx: Tx,
  event: PeersEvent,
  channel: Channel,
  userIds: readonly number[],
  members: readonly Member[],
  clients: Clients,
): void {
  const seen = members.map((member) => [member.userId, seenSoFar(tx, member, userIds)] as const)
  tellEach(tx, event, channel, new Map(seen), clients)
}

/** Tells guests who come to see others, or see them no more, where these are in channels that the guests look on. */
export function tellOnlookers(tx: Tx, sightings: readonly Sighting[]): void {
  const world = withPlacesSoFar(tx)
  const guests = new Set(sightings.flatMap(({ gaining, losing }) => [...gaining, ...losing]))
  for (const [place, there] of byPlace(world, sightings)) {
    const channel = channelById(world, place)
    // Who is in a channel that this transaction makes meets all others there at once, and only those.
    if (channel === undefined) continue
    const onlookers = [...guests].filter((userId) => looksOn(world, userId, channel))
    if (onlookers.length === 0) continue
    const [added, removed] = [emptyLists(onlookers), emptyLists(onlookers)]
    for (const { userId, gaining, losing } of there) {
      for (const guest of gaining) added.get(guest)?.push(userId)
      for (const guest of losing) removed.get(guest)?.push(userId)
    }
    tellEach(tx, peersAdded, channel, added, clientsKnowing(channel))
    tellEach(tx, peersRemoved, channel, removed, clientsKnowing(channel))
  }
}

function byPlace(world: World, sightings: readonly Sighting[]): Map<number, Sighting[]> {
  const places = new Map<number, Sighting[]>()
  for (const sighting of sightings) {
    // Whose account has ended is subscribed nowhere. Who is made by this transaction is not in the world yet.
    if (userById(world, sighting.userId)?.isActive === false) continue
    for (const place of placesOf(world, sighting.userId)) {
      const there = places.get(place)
      if (there === undefined) places.set(place, [sighting])
      else there.push(sighting)
    }
  }
  return places
}

function emptyLists(userIds: readonly number[]): Map<number, number[]> {
  return new Map(userIds.map((userId) => [userId, []]))
}

/** Tells somebody whose role changes which subscribers of a channel, of which it still knows, it learns of and loses. */
export function tellDifference(tx: Tx, channel: Channel, was: Member, is: Member): void {
  if (![was, is].some((member) => isOnlooker(tx.world, member, channel.id))) return
  const [before, after] = [
    new Set(shownSubscribers(tx.world, was, channel.id)),
    new Set(shownSubscribers(tx.world, is, channel.id)),
  ]
  const gained = [...after].filter((userId) => !before.has(userId))
  const lost = [...before].filter((userId) => !after.has(userId))
  tellEach(tx, peersAdded, channel, new Map([[is.userId, gained]]), clientsKnowing(channel))
  tellEach(tx, peersRemoved, channel, new Map([[is.userId, lost]]), clientsKnowing(channel))
}

/** Tells users each of its own; those with the same ones in one event. */
function tellEach(
  tx: Tx,
  event: PeersEvent,
  channel: Channel,
  peers: ReadonlyMap<number, readonly number[]>,
  clients: Clients,
): void {
  const alike = new Map<string, { readonly userIds: readonly number[]; readonly users: number[] }>()
  for (const [viewerId, userIds] of peers) {
    if (userIds.length === 0) continue
    const known = alike.get(userIds.join())
    if (known === undefined) alike.set(userIds.join(), { userIds, users: [viewerId] })
    else known.users.push(viewerId)
  }
  for (const { userIds, users } of alike.values()) emitPeers(tx, event, channel, userIds, { users, ...clients })
}
