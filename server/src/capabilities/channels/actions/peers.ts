import type { Audience } from '../../../kernel/audience.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { Member } from '../../groups/rules.ts'
import {
  visibleWithPendingChanges,
  withPendingChanges,
  type SharedChannelChange,
} from '../../users/actions/visibility.ts'
import { userById } from '../../users/queries/index.ts'
import { sharedChannelsOf } from '../../users/queries/shared-rooms.ts'
import { peersAdded, peersRemoved } from '../contract/index.ts'
import { channelById, type Channel } from '../queries/index.ts'
import { channelAudience, channelClientFilter } from '../rules/index.ts'
import {
  isMetadataOnlyViewer,
  canSeeWithoutSubscribing,
  metadataOnlyViewersOf,
  visibleSubscribers,
} from '../rules/outside-viewers.ts'

type PeersEvent = typeof peersAdded | typeof peersRemoved
type ClientFilter = Pick<Audience, 'clients'>

export function emitPeers(
  tx: Tx,
  event: PeersEvent,
  channel: Channel,
  userIds: readonly number[],
  audience: Audience,
): void {
  tx.emit(event, { stream_ids: [channel.id], user_ids: userIds.toSorted((a, b) => a - b) }, audience)
}

/** Metadata-only viewers learn only of users they can see. */
export function emitPeersToViewers(tx: Tx, event: PeersEvent, channel: Channel, userIds: readonly number[]): void {
  const own = new Set(userIds)
  const metadataOnlyViewers = metadataOnlyViewersOf(withPendingChanges(tx), channel).filter(
    ({ userId }) => !own.has(userId),
  )
  const except = [...userIds, ...metadataOnlyViewers.map(({ userId }) => userId)]
  emitPeers(tx, event, channel, userIds, { ...channelAudience(tx.organization, channel), except })
  emitVisiblePeers(tx, event, channel, userIds, metadataOnlyViewers, channelClientFilter(channel))
}

export function emitVisiblePeers(
  tx: Tx,
  event: PeersEvent,
  channel: Channel,
  userIds: readonly number[],
  members: readonly Member[],
  clients: ClientFilter,
): void {
  const seen = members.map((member) => [member.userId, visibleWithPendingChanges(tx, member, userIds)] as const)
  emitPeersByViewer(tx, event, channel, new Map(seen), clients)
}

/** Updates guests' lists of subscribers when people become visible to them or hidden from them. */
export function emitToMetadataOnlyViewers(tx: Tx, sightings: readonly SharedChannelChange[]): void {
  const organization = withPendingChanges(tx)
  const guests = new Set(sightings.flatMap(({ gaining, losing }) => [...gaining, ...losing]))
  for (const [place, there] of groupChangesByChannel(organization, sightings)) {
    const channel = channelById(organization, place)
    // Skips a channel created in this transaction: its events already list its members.
    if (channel === undefined) continue
    const metadataOnlyViewers = [...guests].filter((userId) => canSeeWithoutSubscribing(organization, userId, channel))
    if (metadataOnlyViewers.length === 0) continue
    const [added, removed] = [emptyListsByUser(metadataOnlyViewers), emptyListsByUser(metadataOnlyViewers)]
    for (const { userId, gaining, losing } of there) {
      for (const guest of gaining) added.get(guest)?.push(userId)
      for (const guest of losing) removed.get(guest)?.push(userId)
    }
    emitPeersByViewer(tx, peersAdded, channel, added, channelClientFilter(channel))
    emitPeersByViewer(tx, peersRemoved, channel, removed, channelClientFilter(channel))
  }
}

function groupChangesByChannel(
  organization: OrganizationState,
  sightings: readonly SharedChannelChange[],
): Map<number, SharedChannelChange[]> {
  const places = new Map<number, SharedChannelChange[]>()
  for (const sighting of sightings) {
    // Skips deactivated users, who have no subscriptions, but not new users, who are not in the state yet.
    if (userById(organization, sighting.userId)?.isActive === false) continue
    for (const place of sharedChannelsOf(organization, sighting.userId)) {
      const there = places.get(place)
      if (there === undefined) places.set(place, [sighting])
      else there.push(sighting)
    }
  }
  return places
}

function emptyListsByUser(userIds: readonly number[]): Map<number, number[]> {
  return new Map(userIds.map((userId) => [userId, []]))
}

/** When a user's role changes, tells the user which subscribers become visible or hidden. */
export function emitPeersForRoleChange(tx: Tx, channel: Channel, was: Member, is: Member): void {
  if (![was, is].some((member) => isMetadataOnlyViewer(tx.organization, member, channel.id))) return
  const [before, after] = [
    new Set(visibleSubscribers(tx.organization, was, channel.id)),
    new Set(visibleSubscribers(tx.organization, is, channel.id)),
  ]
  const gained = [...after].filter((userId) => !before.has(userId))
  const lost = [...before].filter((userId) => !after.has(userId))
  emitPeersByViewer(tx, peersAdded, channel, new Map([[is.userId, gained]]), channelClientFilter(channel))
  emitPeersByViewer(tx, peersRemoved, channel, new Map([[is.userId, lost]]), channelClientFilter(channel))
}

function emitPeersByViewer(
  tx: Tx,
  event: PeersEvent,
  channel: Channel,
  peers: ReadonlyMap<number, readonly number[]>,
  clients: ClientFilter,
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
