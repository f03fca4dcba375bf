import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { EventOf } from '../../../kernel/event-binding.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import type { ServerFacts, SharedFields, Spectator } from '../../../platform/server-facts.ts'
import { userById } from '../../users/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import type * as contract from '../contract/index.ts'
import { channelById, channelsProjection, isSubscribed, presentChannel, type Channel } from './index.ts'
import { defaultChannels, canSeeChannel, readablePart } from '../rules/index.ts'
import { isMetadataOnlyViewer, channelsForSpectators } from '../rules/outside-viewers.ts'
import {
  isFirstMessageHidden,
  visibleChannels,
  presentChannelFor,
  showsFirstMessage,
  withoutFirstMessage,
} from './shown.ts'

export function getStreams(
  { organization, actor }: Reader,
  input: Input<typeof contract.getStreams>,
): Output<typeof contract.getStreams> {
  const owner = userById(organization, actor.userId)?.botOwnerId ?? undefined
  // With `include_owner_subscribed`, a bot also gets channels that its owner has joined, even if it cannot see them.
  const isOwners = (channel: Channel): boolean =>
    input.include_owner_subscribed && owner !== undefined && isSubscribed(organization, owner, channel.id)
  const isWanted = (channel: Channel): boolean =>
    input.include_all ||
    (input.include_public && !channel.inviteOnly) ||
    (input.include_web_public && channel.isWebPublic) ||
    (input.include_subscribed && isSubscribed(organization, actor.userId, channel.id)) ||
    (input.include_can_access_content && readablePart(organization, actor, channel) !== 'none')
  const streams = [...organization.of(channelsProjection).byId.values()]
    .filter((channel) => isOwners(channel) || (canSeeChannel(organization, actor, channel) && isWanted(channel)))
    .filter((channel) => !(input.exclude_archived && channel.isArchived))
    .map((channel) => ({
      ...presentChannelFor(organization, actor, channel),
      ...(input.include_default ? { is_default: channel.isDefault } : {}),
    }))
  return { streams }
}

export function hidesFirstMessage({ payload }: EventOf<typeof contract.channelCreated>, viewer: Viewer): boolean {
  return payload.streams.some((record) => isFirstMessageHidden(record, viewer))
}

export function channelCreatedToClient(
  { payload }: EventOf<typeof contract.channelCreated>,
  viewer: Viewer,
): Record<string, unknown> {
  return {
    streams: payload.streams.map((record) =>
      isFirstMessageHidden(record, viewer) ? withoutFirstMessage(record) : record,
    ),
  }
}

export function sharedStreams({ organization, userId, form }: Viewer): SharedFields {
  const member = { userId, role: knownUser(organization, userId).role }
  const known = visibleChannels(organization, member, form.capabilities.archived_channels)
  if (known.some(({ id }) => isMetadataOnlyViewer(organization, member, id))) {
    // Each metadata-only viewer sees different subscriber counts, so the result cannot be shared.
    const make = (projections: OrganizationState) => ({
      streams: known.map((channel) => presentChannelFor(projections, member, channel)),
    })
    return { key: undefined, make }
  }
  const ids = known.map(({ id }) => id)
  const blind = new Set(
    known.filter((channel) => !showsFirstMessage(organization, member, channel)).map(({ id }) => id),
  )
  return {
    key: `${ids.join()};${[...blind].join()}`,
    make: (projections) => ({
      streams: channelsByIds(projections, ids).map((channel) => {
        const record = presentChannel(projections, channel)
        return blind.has(channel.id) ? withoutFirstMessage(record) : record
      }),
    }),
  }
}

function channelsByIds(organization: OrganizationState, ids: readonly number[]): Channel[] {
  return ids.map((id) => channelById(organization, id)).filter((channel) => channel !== undefined)
}

export function spectatorStreams({ organization }: Spectator, server: ServerFacts): Record<string, unknown> {
  return { streams: channelsForSpectators(organization, server) }
}

export function defaultStreamsSnapshot({ organization, userId }: Viewer): Record<string, unknown> {
  return { realm_default_streams: defaultChannels(organization, knownUser(organization, userId)) }
}
