import type { Reader } from '../../kernel/transaction.ts'
import type { ClientForm, Viewer } from '../../kernel/viewer.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { JsonPieces } from '../../platform/answers/composed.ts'
import { capability, command, query } from '../../platform/capability.ts'
import type { LoggedEvent } from '../../kernel/event-binding.ts'
import { readActivity } from '../activity/queries.ts'
import type { Member } from '../groups/rules.ts'
import { userById } from '../users/queries.ts'
import { knownUser } from '../users/rules.ts'
import { viewingMember } from '../users/rules/visibility.ts'
import { updateSubscription, updateSubscriptionSettings } from './actions/properties.ts'
import { unsubscribe } from './actions/subscribe.ts'
import { addDefaultChannel, removeDefaultChannel } from './actions/update.ts'
import * as contract from './contract/index.ts'
import { countTrafficDaily } from './jobs.ts'
import {
  channelById,
  channelsProjection,
  isOpen,
  isSubscribed,
  presentChannel,
  presentSubscription,
  subscriptionsProjection,
  withoutNulls,
  type Channel,
  type Subscription,
} from './queries.ts'
import { botAddedBinding, botUpdatedBinding, managedBotsPart } from './queries/bot-channels.ts'
import { chosenChannelsPart, realmUpdatedBinding } from './queries/chosen.ts'
import { mutedTopicsBinding, mutedTopicsPart } from './queries/muted-topics.ts'
import { readingRoutes } from './queries/reading.ts'
import { showChannel, showsFirst, withoutFirst } from './queries/shown.ts'
import { subscriberFields, withSubscribers } from './queries/subscribers.ts'
import { channelTexts, joinedTexts, listTexts } from './queries/texts.ts'
import { defaultChannels, mayKnow, mayRead, readable } from './rules.ts'
import { isMetadataOnlyViewer } from './rules/metadata-only-viewers.ts'
import { channelsForSpectators } from './rules/spectators.ts'

/** Channels and who is subscribed to them, now and before. What notices go with is bound in `channel-notices`. */
export const channels = capability({
  name: 'channels',
  tables: ['channels', 'subscriptions', 'channel_traffic', 'channel_traffic_counted'],
  jobs: [countTrafficDaily],
  projections: [channelsProjection, subscriptionsProjection],
  routes: [
    query(contract.getStreams, listStreams),
    query(
      contract.getSubscriptions,
      async ({ organization, actor, db }, { include_subscribers: includeSubscribers }) => {
        if (includeSubscribers === 'partial') await readActivity(organization, db)
        const { subscribed } = tiesOf(organization, actor, false)
        return { subscriptions: subscribed.map((tie) => showTie(organization, actor, tie, includeSubscribers)) }
      },
    ),
    command(contract.addDefaultChannel, addDefaultChannel),
    command(contract.removeDefaultChannel, removeDefaultChannel),
    command(contract.unsubscribe, unsubscribe),
    command(contract.updateSubscriptionSettings, updateSubscriptionSettings),
    command(contract.updateSubscription, updateSubscription),
    ...readingRoutes,
  ],
  events: [
    {
      event: contract.channelCreated,
      encodeSeparately: ({ payload }, viewer) => streamsIn(payload).some((record) => isFirstHidden(record, viewer)),
      toClient: ({ payload }, viewer) => ({
        streams: streamsIn(payload).map((record) => (isFirstHidden(record, viewer) ? withoutFirst(record) : record)),
      }),
    },
    { event: contract.channelDeleted },
    { event: contract.channelUpdated },
    { event: contract.defaultChannelsChanged },
    {
      event: contract.subscriptionAdded,
      toEachClient: ({ payload }, viewer) => {
        // The payload is the declared one.
        const { subscriptions } = payload as { subscriptions: contract.SubscriptionRecord[] }
        return { subscriptions: subscriptions.map((record) => inForm(record, viewer)) }
      },
    },
    { event: contract.subscriptionRemoved },
    {
      event: contract.subscriptionUpdated,
      // Marked with a reference: what a channel inherits from the user's settings (`announceInheritedChoices`).
      isWanted: ({ refId }, { form }) => refId === null || !form.capabilities.notification_settings_null,
    },
    { event: contract.peersAdded },
    { event: contract.peersRemoved },
    mutedTopicsBinding,
    realmUpdatedBinding,
    botAddedBinding,
    botUpdatedBinding,
  ],
  snapshot: [
    {
      eventTypes: ['subscription'],
      prepare: async (db, { organization, form }) => {
        if (form.includeSubscribers === 'partial') await readActivity(organization, db)
      },
      // Large, and of one viewer alone.
      share: (viewer) => ({ key: undefined, make: () => subscriptionsText(viewer) }),
      spectatorFields: ({ organization }, server) => ({
        subscriptions: [],
        unsubscribed: [],
        never_subscribed: channelsForSpectators(organization, server),
      }),
    },
    {
      eventTypes: ['stream'],
      share: ({ organization, userId, form }) => {
        const member = { userId, role: knownUser(organization, userId).role }
        const known = knownTo(organization, member, form.capabilities.archived_channels)
        if (known.some(({ id }) => isMetadataOnlyViewer(organization, member, id))) {
          // Whom it sees there, and so how many, is its own.
          const make = (projections: OrganizationState) => ({
            streams: known.map((channel) => showChannel(projections, member, channel)),
          })
          return { key: undefined, make }
        }
        const ids = known.map(({ id }) => id)
        const blind = new Set(known.filter((channel) => !showsFirst(organization, member, channel)).map(({ id }) => id))
        return {
          key: `${ids.join()};${[...blind].join()}`,
          make: (projections) => ({
            streams: channelsNamed(projections, ids).map((channel) => {
              const record = presentChannel(projections, channel)
              return blind.has(channel.id) ? withoutFirst(record) : record
            }),
          }),
        }
      },
      spectatorFields: ({ organization }, server) => ({ streams: channelsForSpectators(organization, server) }),
    },
    {
      eventTypes: ['default_streams'],
      observe: ({ organization, userId }) => ({
        realm_default_streams: defaultChannels(organization, knownUser(organization, userId)),
      }),
    },
    mutedTopicsPart,
    chosenChannelsPart,
    managedBotsPart,
  ],
})

/** What a viewer has to do with each channel, in the form that its client wants. */
function subscriptionsText({ organization, userId, form }: Viewer): JsonPieces {
  const own = knownUser(organization, userId)
  const member = { userId, role: own.role }
  const { subscribed, unsubscribed, others } = tiesOf(organization, member, form.capabilities.archived_channels)
  const textOfTie = (tie: Tie): string => {
    const record = showTie(organization, member, tie, form.includeSubscribers)
    return JSON.stringify(form.capabilities.notification_settings_null ? record : withoutNulls(record, own))
  }
  const textOf = channelTexts(organization)
  const textOfOther = (channel: Channel): string => {
    if (isMetadataOnlyViewer(organization, member, channel.id)) {
      return JSON.stringify(
        withSubscribers(organization, member, showChannel(organization, member, channel), form.includeSubscribers),
      )
    }
    const text = textOf(channel.id, showsFirst(organization, member, channel))
    if (form.includeSubscribers === 'false') return text
    return `${text.slice(0, -1)},${JSON.stringify(subscriberFields(organization, member, channel.id, form.includeSubscribers)).slice(1)}`
  }
  return joinedTexts([
    '{"subscriptions":[',
    ...listTexts(subscribed, textOfTie),
    '],"unsubscribed":[',
    ...listTexts(unsubscribed, textOfTie),
    '],"never_subscribed":[',
    ...listTexts(others, textOfOther),
    ']}',
  ])
}

function channelsNamed(organization: OrganizationState, ids: readonly number[]): Channel[] {
  return ids.map((id) => channelById(organization, id)).filter((channel) => channel !== undefined)
}

function knownTo(organization: OrganizationState, member: Member, includeArchived: boolean): Channel[] {
  return [...organization.of(channelsProjection).byId.values()].filter(
    (channel) => (includeArchived || !channel.isArchived) && mayKnow(organization, member, channel),
  )
}

/** A record of `subscription/add` as one client wants it. */
function inForm(record: contract.SubscriptionRecord, viewer: Viewer): contract.SubscriptionRecord {
  const { organization, form } = viewer
  const own = userById(organization, viewer.userId)
  const chosen = organization.of(subscriptionsProjection).byUser.get(viewer.userId)?.get(record.stream_id)
  const channel = organization.of(channelsProjection).byId.get(record.stream_id)
  // A client that reads this late may have lost the channel since; the events that say so follow.
  const member = own === undefined ? undefined : { userId: own.id, role: own.role }
  const knows = member !== undefined && channel !== undefined && mayKnow(organization, member, channel)
  const shown = isFirstHidden(record, viewer) ? withoutFirst(record) : record
  const mine = chosen === undefined ? shown : presentSubscription(shown, chosen)
  // All, also where part of them would do: who was active, this process may have read long ago.
  const wanted = form.includeSubscribers === 'false' ? 'false' : 'true'
  const nobody = wanted === 'false' ? {} : { subscribers: [] }
  const full = knows ? withSubscribers(organization, member, mine, wanted) : { ...mine, ...nobody }
  return form.capabilities.notification_settings_null || own === undefined ? full : withoutNulls(full, own)
}

function streamsIn(payload: LoggedEvent['payload']): contract.ChannelRecord[] {
  // The payload is the declared one.
  return (payload as { streams: contract.ChannelRecord[] }).streams
}

/** Whether the record, which was made for several, names a first message that the viewer may not read. */
function isFirstHidden({ stream_id, first_message_id: id }: contract.ChannelRecord, viewer: Viewer): boolean {
  const message = { id: id ?? 0, channelId: stream_id, memberIds: null }
  return id !== null && !mayRead(viewer.organization, viewingMember(viewer), message)
}

/** A subscription that lasts or that there was. */
interface Tie {
  readonly channel: Channel
  readonly subscription: Subscription
}

/** Every channel the member may know of: subscribed now, before, or never. */
function tiesOf(
  organization: OrganizationState,
  member: Member,
  includeArchived: boolean,
): { subscribed: Tie[]; unsubscribed: Tie[]; others: Channel[] } {
  const mine = organization.of(subscriptionsProjection).byUser.get(member.userId)
  const ties: ReturnType<typeof tiesOf> = { subscribed: [], unsubscribed: [], others: [] }
  for (const channel of knownTo(organization, member, includeArchived)) {
    const subscription = mine?.get(channel.id)
    if (subscription === undefined) ties.others.push(channel)
    else (isOpen(subscription) ? ties.subscribed : ties.unsubscribed).push({ channel, subscription })
  }
  return ties
}

function showTie(
  organization: OrganizationState,
  member: Member,
  { channel, subscription }: Tie,
  includeSubscribers: ClientForm['includeSubscribers'],
): contract.SubscriptionRecord {
  const record = presentSubscription(showChannel(organization, member, channel), subscription)
  return withSubscribers(organization, member, record, includeSubscribers)
}

function listStreams(
  { organization, actor }: Reader,
  input: Input<typeof contract.getStreams>,
): Output<typeof contract.getStreams> {
  const owner = userById(organization, actor.userId)?.botOwnerId ?? undefined
  // The one list in which a bot sees more than it may know of: what its owner, who asked for the bot, sees anyway.
  const isOwners = (channel: Channel): boolean =>
    input.include_owner_subscribed && owner !== undefined && isSubscribed(organization, owner, channel.id)
  const isWanted = (channel: Channel): boolean =>
    input.include_all ||
    (input.include_public && !channel.inviteOnly) ||
    (input.include_web_public && channel.isWebPublic) ||
    (input.include_subscribed && isSubscribed(organization, actor.userId, channel.id)) ||
    (input.include_can_access_content && readable(organization, actor, channel) !== 'none')
  const streams = [...organization.of(channelsProjection).byId.values()]
    .filter((channel) => isOwners(channel) || (mayKnow(organization, actor, channel) && isWanted(channel)))
    .filter((channel) => !(input.exclude_archived && channel.isArchived))
    .map((channel) => ({
      ...showChannel(organization, actor, channel),
      ...(input.include_default ? { is_default: channel.isDefault } : {}),
    }))
  return { streams }
}
