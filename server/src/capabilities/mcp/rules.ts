import type { Actor } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import { isChannelInTokenScope } from '../api-tokens/rules.ts'
import { channelById, channelByName, channelsProjection, type Channel } from '../channels/queries/index.ts'
import { canSeeChannel, readablePart } from '../channels/rules/index.ts'
import { allowsTools, toolAccessProjection } from './queries.ts'

export function requireToolsAllowed(organization: OrganizationState): void {
  if (organization.of(toolAccessProjection).access !== 'nothing') return
  throw new ApiError('BAD_REQUEST', 'This organization does not allow tools.')
}

export function requireDirectMessagesOpenToTools(organization: OrganizationState): void {
  if (mayToolsUseDirectMessages(organization)) return
  throw new ApiError('BAD_REQUEST', 'This organization does not allow tools in direct messages.')
}

/** Channels that the account cannot see, or that block tools, get the same error as missing channels. */
export function channelForTool(organization: OrganizationState, actor: Actor, named: number | string): Channel {
  const channel =
    typeof named === 'number' ? channelById(organization, named) : channelByName(organization, named.trim())
  const isThere =
    channel !== undefined && canSeeChannel(organization, actor, channel) && isChannelInTokenScope(actor, channel.id)
  if (isThere && isOpenToTools(organization, channel)) return channel
  throw new ApiError('BAD_REQUEST', 'No such channel, or it does not allow tools.')
}

export function mayToolsSeeConversation(organization: OrganizationState, channelId: number | undefined): boolean {
  if (channelId === undefined) return mayToolsUseDirectMessages(organization)
  const channel = channelById(organization, channelId)
  return channel !== undefined && isOpenToTools(organization, channel)
}

export function channelsHiddenFromTools(organization: OrganizationState, actor: Actor): Channel[] {
  return [...organization.of(channelsProjection).byId.values()].filter(
    (channel) => !isOpenToTools(organization, channel) && readablePart(organization, actor, channel) !== 'none',
  )
}

function isOpenToTools(organization: OrganizationState, channel: Channel): boolean {
  return organization.of(toolAccessProjection).access !== 'nothing' && allowsTools(organization, channel)
}

export function mayToolsUseDirectMessages(organization: OrganizationState): boolean {
  return organization.of(toolAccessProjection).access === 'everything'
}
