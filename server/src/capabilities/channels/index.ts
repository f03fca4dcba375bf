import { capability, command, query } from '../../platform/capability.ts'
import { updateSubscription, updateSubscriptionSettings } from './actions/properties.ts'
import { unsubscribe } from './actions/subscribe.ts'
import { addDefaultChannel, removeDefaultChannel } from './actions/update.ts'
import { archiveChannel, createChannel, subscribe, updateChannel, updateSubscriptions } from './actions/noticed.ts'
import * as contract from './contract/index.ts'
import { countTrafficDaily } from './jobs.ts'
import { channelsProjection, subscriptionsProjection } from './queries/index.ts'
import { channelSettingsPart, realmUpdatedBinding } from './queries/chosen.ts'
import {
  getStream,
  getStreamId,
  getSubscribers,
  getSubscriptionStatus,
  getUserChannels,
  channelCreatedToClient,
  defaultStreamsSnapshot,
  getStreams,
  hidesFirstMessage,
  sharedStreamFields,
  spectatorStreamFields,
} from './queries/streams.ts'
import {
  getSubscriptions,
  isSubscriptionUpdateWanted,
  prepareSubscriptions,
  sharedSubscriptionFields,
  spectatorSubscriptionFields,
  subscriptionAddedToEachClient,
} from './queries/subscriptions.ts'
import { exportedTables, migrations } from './tables.ts'

export const channels = capability({
  name: 'channels',
  tables: ['channels', 'subscriptions', 'channel_traffic', 'channel_traffic_counted'],
  reads: ['channel_folders', 'messages', 'organizations', 'organization_settings', 'topics'],
  migrations,
  exportedTables,
  limits: [contract.CHANNEL_LIMIT],
  jobs: [countTrafficDaily],
  projections: [channelsProjection, subscriptionsProjection],
  routes: [
    query(contract.getStreams, getStreams),
    query(contract.getSubscriptions, getSubscriptions),
    command(contract.addDefaultChannel, addDefaultChannel),
    command(contract.removeDefaultChannel, removeDefaultChannel),
    command(contract.unsubscribe, unsubscribe),
    command(contract.updateSubscriptionSettings, updateSubscriptionSettings),
    command(contract.updateSubscription, updateSubscription),
    query(contract.getStreamId, getStreamId),
    query(contract.getStream, getStream),
    query(contract.getSubscribers, getSubscribers),
    query(contract.getSubscriptionStatus, getSubscriptionStatus),
    query(contract.getUserChannels, getUserChannels),
    command(contract.createChannel, createChannel),
    command(contract.updateChannel, updateChannel),
    command(contract.archiveChannel, archiveChannel),
    command(contract.subscribe, subscribe),
    command(contract.updateSubscriptions, updateSubscriptions),
  ],
  events: [
    { event: contract.channelCreated, encodeSeparately: hidesFirstMessage, toClient: channelCreatedToClient },
    { event: contract.channelDeleted, administration: false },
    { event: contract.channelUpdated },
    { event: contract.defaultChannelsChanged },
    { event: contract.subscriptionAdded, administration: false, toEachClient: subscriptionAddedToEachClient },
    { event: contract.subscriptionRemoved, administration: false },
    { event: contract.subscriptionUpdated, administration: false, isWanted: isSubscriptionUpdateWanted },
    { event: contract.peersAdded, administration: false },
    { event: contract.peersRemoved, administration: false },
    realmUpdatedBinding,
  ],
  snapshot: [
    {
      eventTypes: ['subscription'],
      prepare: prepareSubscriptions,
      share: sharedSubscriptionFields,
      spectatorFields: spectatorSubscriptionFields,
    },
    { eventTypes: ['stream'], share: sharedStreamFields, spectatorFields: spectatorStreamFields },
    { eventTypes: ['default_streams'], observe: defaultStreamsSnapshot },
    channelSettingsPart,
  ],
})
