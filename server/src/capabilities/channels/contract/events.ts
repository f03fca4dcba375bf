import * as z from 'zod/mini'
import { event, type ClientState, type StateFields } from '../../../kernel/event.ts'
import { boolean, id, ids, integer, string } from '../../../kernel/schemas.ts'
import { keysOf } from '../../../kernel/keys.ts'
import { groupSettingValue } from '../../groups/contract/index.ts'
import { PERMISSIONS } from '../../groups/contract/permissions.ts'
import { channel, subscription, type ChannelRecord, type ListedChannel, type SubscriptionRecord } from './records.ts'

const CHANNEL_LISTS = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const

declare module '../../../kernel/event.ts' {
  interface StateFields {
    streams: ChannelRecord[]
    subscriptions: SubscriptionRecord[]
    unsubscribed: SubscriptionRecord[]
    never_subscribed: ListedChannel[]
  }
}

function channelListsOf(state: ClientState): Pick<StateFields, (typeof CHANNEL_LISTS)[number]> {
  const { streams = [], subscriptions = [], unsubscribed = [], never_subscribed = [] } = state
  return { streams, subscriptions, unsubscribed, never_subscribed }
}

function removeFromList(list: { stream_id: number }[], streamId: number): void {
  const index = list.findIndex((item) => item.stream_id === streamId)
  if (index !== -1) list.splice(index, 1)
}

function* recordsOf(state: ClientState, streamId: number): Generator<ListedChannel> {
  for (const list of Object.values(channelListsOf(state))) {
    for (const record of list) if (record.stream_id === streamId) yield record
  }
}

export const channelCreated = event({
  type: 'stream',
  op: 'create',
  summary: 'Channels were created, or the user can now see them.',
  payload: z.strictObject({ streams: z.array(channel) }),
  touches: ['streams', 'never_subscribed'],
  apply(state, { streams }, client) {
    // Peer events with the new channel's subscribers follow.
    const nobody = client.includeSubscribers ? { subscribers: [] } : {}
    const lists = channelListsOf(state)
    for (const record of streams) {
      if (!lists.streams.some((known) => known.stream_id === record.stream_id)) lists.streams.push({ ...record })
      const listed = [...lists.subscriptions, ...lists.unsubscribed, ...lists.never_subscribed]
      if (!listed.some((known) => known.stream_id === record.stream_id)) {
        lists.never_subscribed.push({ ...record, ...nobody })
      }
    }
  },
})

export const channelDeleted = event({
  type: 'stream',
  op: 'delete',
  summary: 'Channels were deleted, or the user can no longer see them.',
  payload: z.strictObject({
    stream_ids: ids,
    streams: z.array(z.strictObject({ stream_id: id })),
  }),
  touches: CHANNEL_LISTS,
  apply(state, { stream_ids }) {
    for (const list of Object.values(channelListsOf(state)))
      for (const streamId of stream_ids) removeFromList(list, streamId)
  },
})

export const CHANNEL_PROPERTIES = [
  'name',
  'description',
  'invite_only',
  'message_retention_days',
  'topics_policy',
  'folder_id',
  'is_archived',
  'is_recently_active',
  'stream_weekly_traffic',
  'first_message_id',
  ...keysOf(PERMISSIONS.stream),
  'stream_post_policy',
  'is_announcement_only',
] as const
export type ChannelProperty = (typeof CHANNEL_PROPERTIES)[number]

export const channelUpdated = event({
  type: 'stream',
  op: 'update',
  summary: 'A property of a channel changed.',
  payload: z.strictObject({
    stream_id: id,
    name: string,
    property: z.enum(CHANNEL_PROPERTIES),
    value: z.union([string, integer, boolean, groupSettingValue, z.null()]),
    /** Sent together with `description`. */
    rendered_description: z.optional(string),
    /** Sent together with `invite_only`, even if unchanged. */
    history_public_to_subscribers: z.optional(boolean),
    is_web_public: z.optional(boolean),
  }),
  touches: CHANNEL_LISTS,
  apply(state, { stream_id, name, property, value, ...beside }) {
    for (const record of recordsOf(state, stream_id)) Object.assign(record, { name, [property]: value, ...beside })
  },
})
export type ChannelUpdate = z.output<typeof channelUpdated.payload>

export const defaultChannelsChanged = event({
  type: 'default_streams',
  summary: 'The default channels for new users changed.',
  payload: z.strictObject({ default_streams: ids }),
  touches: ['realm_default_streams'],
  apply(state, { default_streams }) {
    if (state['realm_default_streams'] !== undefined) state['realm_default_streams'] = default_streams
  },
})

export const subscriptionAdded = event({
  type: 'subscription',
  op: 'add',
  summary: 'The user was subscribed to channels.',
  payload: z.strictObject({ subscriptions: z.array(subscription) }),
  touches: CHANNEL_LISTS,
  apply(state, { subscriptions }) {
    const lists = channelListsOf(state)
    for (const record of subscriptions) {
      for (const list of [lists.subscriptions, lists.unsubscribed, lists.never_subscribed])
        removeFromList(list, record.stream_id)
      lists.subscriptions.push({ ...record })
      for (const known of lists.streams) {
        if (known.stream_id === record.stream_id) known.subscriber_count = record.subscriber_count
      }
    }
  },
})

export const subscriptionRemoved = event({
  type: 'subscription',
  op: 'remove',
  summary: 'The user was unsubscribed from channels. Their messages are no longer unread.',
  payload: z.strictObject({ subscriptions: z.array(z.strictObject({ stream_id: id, name: string })) }),
  touches: CHANNEL_LISTS,
  apply(state, { subscriptions }) {
    const lists = channelListsOf(state)
    const { user_id: ownId } = state
    for (const { stream_id } of subscriptions) {
      const record = lists.subscriptions.find((known) => known.stream_id === stream_id)
      for (const known of recordsOf(state, stream_id)) removePeers(known, ownId === undefined ? [] : [ownId], 1)
      removeFromList(lists.subscriptions, stream_id)
      if (record !== undefined) lists.unsubscribed.push(record)
    }
  },
})

/** Fields that list a channel's subscribers. A client requests at most one of them; peer events keep it current. */
const SUBSCRIBER_LISTS = ['subscribers', 'partial_subscribers'] as const

const peers = z.strictObject({ stream_ids: ids, user_ids: ids })

export const peersAdded = event({
  type: 'subscription',
  op: 'peer_add',
  summary: 'Other users were subscribed to channels.',
  payload: peers,
  touches: CHANNEL_LISTS,
  apply(state, { stream_ids, user_ids }) {
    for (const streamId of stream_ids) {
      for (const record of recordsOf(state, streamId)) {
        record.subscriber_count += user_ids.length
        for (const list of SUBSCRIBER_LISTS) {
          if (record[list] === undefined) continue
          record[list] = [...new Set([...record[list], ...user_ids])].toSorted((a, b) => a - b)
        }
      }
    }
  },
})

export const peersRemoved = event({
  type: 'subscription',
  op: 'peer_remove',
  summary: 'Other users were unsubscribed from channels.',
  payload: peers,
  touches: CHANNEL_LISTS,
  apply(state, { stream_ids, user_ids }) {
    for (const streamId of stream_ids) {
      for (const record of recordsOf(state, streamId)) removePeers(record, user_ids, user_ids.length)
    }
  },
})

function removePeers(record: ListedChannel, userIds: readonly number[], count: number): void {
  record.subscriber_count -= count
  for (const list of SUBSCRIBER_LISTS) {
    record[list] &&= record[list].filter((userId) => !userIds.includes(userId))
  }
}
