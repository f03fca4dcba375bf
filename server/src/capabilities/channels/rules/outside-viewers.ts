import { isSpectator, ROLE } from '../../../kernel/actor.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError, notLoggedInError } from '../../../kernel/refusal.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import type { GroupSettingValue } from '../../groups/contract/index.ts'
import { groupById } from '../../groups/queries.ts'
import type { Member } from '../../groups/rules.ts'
import { userById, usersProjection } from '../../users/queries/index.ts'
import { markdownWithPublicNames, withPublicNames } from '../../users/queries/public-names.ts'
import { peopleIn } from '../../users/queries/shared-rooms.ts'
import { hasLimitedGuests, isLimitedGuest, canSeeUser } from '../../users/rules/visibility.ts'
import type { ChannelRecord } from '../contract/index.ts'
import { sortedSubscribers, subscribersOf, channelsProjection, presentChannel, type Channel } from '../queries/index.ts'
import { canSeeChannel, isPublished } from './index.ts'

/* Limited guests who can see a channel only because of a permission see only subscribers who are visible to them. */

export function isMetadataOnlyViewer(organization: OrganizationState, member: Member, channelId: number): boolean {
  return isLimitedGuest(organization, member) && !peopleIn(organization, channelId).has(member.userId)
}

export function metadataOnlyViewersOf(organization: OrganizationState, channel: Channel): Member[] {
  if (!hasLimitedGuests(organization)) return []
  return [...organization.of(usersProjection).byId.values()]
    .filter(({ id, role }) => role === ROLE.guest && canSeeWithoutSubscribing(organization, id, channel))
    .map(({ id, role }) => ({ userId: id, role }))
}

/** Whether a guest can see the channel without being in it. */
export function canSeeWithoutSubscribing(organization: OrganizationState, guestId: number, channel: Channel): boolean {
  if (peopleIn(organization, channel.id).has(guestId)) return false
  return canSeeChannel(organization, { userId: guestId, role: ROLE.guest }, channel, 'unsubscribed')
}

export function visibleSubscribers(
  organization: OrganizationState,
  member: Member,
  channelId: number,
): readonly number[] {
  const all = sortedSubscribers(organization, channelId)
  if (!isMetadataOnlyViewer(organization, member, channelId)) return all
  return all.filter((userId) => {
    const user = userById(organization, userId)
    return user !== undefined && canSeeUser(organization, member, user)
  })
}

export function visibleSubscriberCount(organization: OrganizationState, member: Member, channelId: number): number {
  if (!isMetadataOnlyViewer(organization, member, channelId)) return subscribersOf(organization, channelId).size
  return visibleSubscribers(organization, member, channelId).length
}

/** Returns the channels that anyone on the internet can read, if the server and organization allow them. */
export function spectatorChannels(
  organization: OrganizationState,
  server: Pick<ServerFacts, 'webPublicChannels'>,
): Channel[] {
  if (!server.webPublicChannels) return []
  return [...organization.of(channelsProjection).byId.values()].filter((channel) => isPublished(organization, channel))
}

/** Error for a missing or hidden object. Spectators get the same error as clients of an organization without them. */
export function absentError(viewer: Member, message: string): ApiError {
  return isSpectator(viewer) ? notLoggedInError() : new ApiError('BAD_REQUEST', message)
}

export function hasPublicAccess(
  organization: OrganizationState,
  server: Pick<ServerFacts, 'webPublicChannels'>,
): boolean {
  return spectatorChannels(organization, server).length > 0
}

/** Shows nothing that depends on people, on what was said before the channel became web-public, or on deleted messages. */
export function channelsForSpectators(
  organization: OrganizationState,
  server: Pick<ServerFacts, 'webPublicChannels'>,
): ChannelRecord[] {
  return spectatorChannels(organization, server).map((channel) => {
    const permissions = Object.entries(channel.permissions).map(([name, value]): [string, GroupSettingValue] => {
      const isSystemGroup = typeof value === 'number' && groupById(organization, value)?.isSystemGroup === true
      return [name, isSystemGroup ? value : { direct_members: [], direct_subgroups: [] }]
    })
    return {
      ...presentChannel(organization, channel),
      ...publicDescription(organization, channel),
      creator_id: null,
      folder_id: null,
      first_message_id: null,
      subscriber_count: 0,
      stream_weekly_traffic: null,
      is_recently_active: true,
      ...Object.fromEntries(permissions),
    }
  })
}

/** Shows mentioned people with their public names. */
export function publicDescription(
  organization: OrganizationState,
  { description, renderedDescription }: Pick<Channel, 'description' | 'renderedDescription'>,
): { description: string; rendered_description: string } {
  return {
    description: markdownWithPublicNames(organization, description, renderedDescription),
    rendered_description: withPublicNames(organization, renderedDescription),
  }
}
