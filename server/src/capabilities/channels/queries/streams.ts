import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { EventOf } from '../../../kernel/event-binding.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import type { ServerFacts, SharedFields, SpectatorViewer } from '../../../platform/server-facts.ts'
import { userById } from '../../users/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import type * as contract from '../contract/index.ts'
import {
  channelById,
  channelsProjection,
  isSubscribed,
  presentChannel,
  type Channel,
  channelByName,
  subscribersOf,
} from './index.ts'
import { defaultChannels, canSeeChannel, readablePart, firstMessageFor, mayReadMessage } from '../rules/index.ts'
import {
  isMetadataOnlyViewer,
  channelsForSpectators,
  visibleSubscriberCount,
  visibleSubscribers,
} from '../rules/outside-viewers.ts'
import type { Member } from '../../groups/rules.ts'
import { viewingMember, requireVisibleUser } from '../../users/rules/visibility.ts'
import type { ChannelRecord, ListedChannel } from '../contract/index.ts'
import { ApiError } from '../../../kernel/refusal.ts'

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

export function getStreamId(
  { organization, actor }: Reader,
  input: Input<typeof contract.getStreamId>,
): Output<typeof contract.getStreamId> {
  const channel = channelByName(organization, input.stream.trim())
  if (channel === undefined || !canSeeChannel(organization, actor, channel)) {
    throw new ApiError('BAD_REQUEST', `Invalid channel name '${input.stream}'`)
  }
  return { stream_id: channel.id }
}

export function getStream(reader: Reader, input: Input<typeof contract.getStream>): Output<typeof contract.getStream> {
  return {
    stream: presentChannelFor(reader.organization, reader.actor, requireVisibleChannel(reader, input.stream_id)),
  }
}

export function getSubscribers(
  reader: Reader,
  input: Input<typeof contract.getSubscribers>,
): Output<typeof contract.getSubscribers> {
  const { id } = requireVisibleChannel(reader, input.stream_id)
  return { subscribers: [...visibleSubscribers(reader.organization, reader.actor, id)] }
}

export function getSubscriptionStatus(
  reader: Reader,
  input: Input<typeof contract.getSubscriptionStatus>,
): Output<typeof contract.getSubscriptionStatus> {
  const user = requireVisibleUser(reader.organization, reader.actor, input.user_id)
  const channel = requireVisibleChannel(reader, input.stream_id)
  return { is_subscribed: subscribersOf(reader.organization, channel.id).has(user.id) }
}

export function getUserChannels(
  { organization, actor }: Reader,
  input: Input<typeof contract.getUserChannels>,
): Output<typeof contract.getUserChannels> {
  const user = requireVisibleUser(organization, actor, input.user_id)
  const ids = [...organization.of(channelsProjection).byId.values()]
    .filter(
      (channel) => subscribersOf(organization, channel.id).has(user.id) && canSeeChannel(organization, actor, channel),
    )
    .map((channel) => channel.id)
  return { subscribed_channel_ids: ids.toSorted((a, b) => a - b) }
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

export function sharedStreamFields({ organization, userId, form }: Viewer): SharedFields {
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
    known.filter((channel) => !maySeeFirstMessage(organization, member, channel)).map(({ id }) => id),
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

export function spectatorStreamFields({ organization }: SpectatorViewer, server: ServerFacts): Record<string, unknown> {
  return { streams: channelsForSpectators(organization, server) }
}

export function defaultStreamsSnapshot({ organization, userId }: Viewer): Record<string, unknown> {
  return { realm_default_streams: defaultChannels(organization, knownUser(organization, userId)) }
}

export function presentChannelFor(organization: OrganizationState, member: Member, channel: Channel): ChannelRecord {
  const record = presentChannel(organization, channel, visibleSubscriberCount(organization, member, channel.id))
  return maySeeFirstMessage(organization, member, channel) ? record : withoutFirstMessage(record)
}

export function maySeeFirstMessage(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return firstMessageFor(organization, member, channel) === channel.firstMessageId
}

export function withoutFirstMessage<Record extends ListedChannel>(record: Record): Record {
  return { ...record, first_message_id: null }
}

export function isFirstMessageHidden({ stream_id, first_message_id: id }: ChannelRecord, viewer: Viewer): boolean {
  const message = { id: id ?? 0, channelId: stream_id, readerIds: null }
  return id !== null && !mayReadMessage(viewer.organization, viewingMember(viewer), message)
}

export function visibleChannels(organization: OrganizationState, member: Member, includeArchived: boolean): Channel[] {
  return [...organization.of(channelsProjection).byId.values()].filter(
    (channel) => (includeArchived || !channel.isArchived) && canSeeChannel(organization, member, channel),
  )
}

/** Gives hidden channels the same error as missing channels. */
export function requireVisibleChannel({ organization, actor }: Reader, channelId: number): Channel {
  const channel = channelById(organization, channelId)
  if (channel === undefined || !canSeeChannel(organization, actor, channel))
    throw new ApiError('BAD_REQUEST', 'Invalid channel ID')
  return channel
}
