import type { Input, Output } from '../../../kernel/endpoint.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { query, type Route } from '../../../platform/capability.ts'
import { knownTo } from '../../users/rules/sight.ts'
import * as contract from '../contract/reading.ts'
import { channelById, channelByName, channelsFold, subscribersOf, type Channel } from '../queries.ts'
import { mayKnow } from '../rules.ts'
import { shownSubscribers } from '../rules/onlookers.ts'
import { showChannel } from './shown.ts'

/** Looking at single channels and who is in them: from memory, without a query. */
export const readingRoutes: readonly Route[] = [
  query(contract.getStreamId, streamId),
  query(contract.getStream, (reader, input) => ({
    stream: showChannel(reader.world, reader.actor, knownById(reader, input.stream_id)),
  })),
  query(contract.getSubscribers, (reader, input) => ({
    subscribers: [...shownSubscribers(reader.world, reader.actor, knownById(reader, input.stream_id).id)],
  })),
  query(contract.getSubscriptionStatus, (reader, input) => {
    const user = knownTo(reader.world, reader.actor, input.user_id)
    const channel = knownById(reader, input.stream_id)
    return { is_subscribed: subscribersOf(reader.world, channel.id).has(user.id) }
  }),
  query(contract.getUserChannels, userChannels),
]

function streamId(
  { world, actor }: Reader,
  input: Input<typeof contract.getStreamId>,
): Output<typeof contract.getStreamId> {
  const channel = channelByName(world, input.stream.trim())
  if (channel === undefined || !mayKnow(world, actor, channel)) {
    throw new Refusal('BAD_REQUEST', `Invalid channel name '${input.stream}'`)
  }
  return { stream_id: channel.id }
}

function userChannels(
  { world, actor }: Reader,
  input: Input<typeof contract.getUserChannels>,
): Output<typeof contract.getUserChannels> {
  const user = knownTo(world, actor, input.user_id)
  const ids = [...world.of(channelsFold).byId.values()]
    .filter((channel) => subscribersOf(world, channel.id).has(user.id) && mayKnow(world, actor, channel))
    .map((channel) => channel.id)
  return { subscribed_channel_ids: ids.toSorted((a, b) => a - b) }
}

/** A channel that the reader may know of; any other is refused as if it were absent. */
function knownById({ world, actor }: Reader, channelId: number): Channel {
  const channel = channelById(world, channelId)
  if (channel === undefined || !mayKnow(world, actor, channel)) throw new Refusal('BAD_REQUEST', 'Invalid channel ID')
  return channel
}
