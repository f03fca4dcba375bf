import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { requireVisibleUser } from '../../users/rules/visibility.ts'
import type * as contract from '../contract/reading.ts'
import { channelById, channelByName, channelsProjection, subscribersOf, type Channel } from './index.ts'
import { canSeeChannel } from '../rules/index.ts'
import { visibleSubscribers } from '../rules/outside-viewers.ts'
import { presentChannelFor } from './shown.ts'

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

/** Gives hidden channels the same error as missing channels. */
function requireVisibleChannel({ organization, actor }: Reader, channelId: number): Channel {
  const channel = channelById(organization, channelId)
  if (channel === undefined || !canSeeChannel(organization, actor, channel))
    throw new ApiError('BAD_REQUEST', 'Invalid channel ID')
  return channel
}
