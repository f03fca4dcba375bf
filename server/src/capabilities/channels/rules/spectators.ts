import type { OrganizationState } from '../../../kernel/projection.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import type { GroupSettingValue } from '../../groups/contract/index.ts'
import { groupById } from '../../groups/queries.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import type { ChannelRecord } from '../contract/index.ts'
import { channelsProjection, presentChannel, type Channel } from '../queries/index.ts'

/** Returns the channels that anyone on the internet can read, if the server and organization allow them. */
function openChannels(organization: OrganizationState, server: Pick<ServerFacts, 'webPublicChannels'>): Channel[] {
  if (!server.webPublicChannels || !settingOf(organization, 'enable_spectator_access')) return []
  return [...organization.of(channelsProjection).byId.values()].filter(
    (channel) => channel.isWebPublic && !channel.isArchived,
  )
}

export function hasPublicAccess(
  organization: OrganizationState,
  server: Pick<ServerFacts, 'webPublicChannels'>,
): boolean {
  return openChannels(organization, server).length > 0
}

/** Omits fields about people, groups, and folders. */
export function channelsForSpectators(
  organization: OrganizationState,
  server: Pick<ServerFacts, 'webPublicChannels'>,
): ChannelRecord[] {
  return openChannels(organization, server).map((channel) => {
    const permissions = Object.entries(channel.permissions).map(([name, value]): [string, GroupSettingValue] => {
      const tellsOfRoles = typeof value === 'number' && groupById(organization, value)?.isSystemGroup === true
      return [name, tellsOfRoles ? value : { direct_members: [], direct_subgroups: [] }]
    })
    return {
      ...presentChannel(organization, channel),
      creator_id: null,
      folder_id: null,
      ...Object.fromEntries(permissions),
    }
  })
}
