import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { EventOf, LoggedEvent } from '../../../kernel/event-binding.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Db, Reader } from '../../../kernel/transaction.ts'
import type { ClientForm, Viewer } from '../../../kernel/viewer.ts'
import {
  isFresh,
  trackDependencies,
  type JsonPieces,
  type TrackedDependencies,
} from '../../../platform/answers/composed.ts'
import type { ServerFacts, SharedFields, SpectatorViewer } from '../../../platform/server-facts.ts'
import { readActivity, recentlyActiveUsers } from '../../presence/queries/activity.ts'
import type { Member } from '../../groups/rules.ts'
import { userById, usersProjection } from '../../users/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import type * as contract from '../contract/index.ts'
import type { ListedChannel } from '../contract/index.ts'
import {
  channelsProjection,
  isCurrentSubscription,
  presentSubscription,
  subscriptionFields,
  subscriptionsProjection,
  withInheritedSettings,
  channelById,
  presentChannel,
  type Channel,
  type Subscription,
} from './index.ts'
import { canSeeChannel } from '../rules/index.ts'
import { isMetadataOnlyViewer, visibleSubscribers, channelsForSpectators } from '../rules/outside-viewers.ts'
import {
  isFirstMessageHidden,
  visibleChannels,
  presentChannelFor,
  maySeeFirstMessage,
  withoutFirstMessage,
} from './streams.ts'

export async function getSubscriptions(
  { organization, actor, db }: Reader,
  { include_subscribers: includeSubscribers }: Input<typeof contract.getSubscriptions>,
): Promise<Output<typeof contract.getSubscriptions>> {
  if (includeSubscribers === 'partial') await readActivity(organization, db)
  const { subscribed } = ownSubscriptions(organization, actor, false)
  return {
    subscriptions: subscribed.map((tie) => presentOwnSubscription(organization, actor, tie, includeSubscribers)),
  }
}

export function subscriptionAddedToEachClient(
  { payload: { subscriptions } }: EventOf<typeof contract.subscriptionAdded>,
  viewer: Viewer,
): Record<string, unknown> {
  return { subscriptions: subscriptions.map((record) => presentSubscriptionForClient(record, viewer)) }
}

/** Whether the client needs the event. Clients that support null settings ignore events with a `refId`. */
export function isSubscriptionUpdateWanted({ refId }: LoggedEvent, { form }: Viewer): boolean {
  return refId === null || !form.capabilities.notification_settings_null
}

export async function prepareSubscriptions(db: Db, { organization, form }: Viewer): Promise<void> {
  if (form.includeSubscribers === 'partial') await readActivity(organization, db)
}

/** Not shared between viewers, because the lists are large and specific to each viewer. */
export function sharedSubscriptionFields(viewer: Viewer): SharedFields {
  return { key: undefined, make: () => serializeSubscriptions(viewer) }
}

export function spectatorSubscriptionFields(
  { organization }: SpectatorViewer,
  server: ServerFacts,
): Record<string, unknown> {
  return { subscriptions: [], unsubscribed: [], never_subscribed: channelsForSpectators(organization, server) }
}

function serializeSubscriptions({ organization, userId, form }: Viewer): JsonPieces {
  const own = knownUser(organization, userId)
  const member = { userId, role: own.role }
  const { subscribed, unsubscribed, others } = ownSubscriptions(
    organization,
    member,
    form.capabilities.archived_channels,
  )
  const cachedText = channelSerializer(organization)
  const textOf = (channel: Channel): string =>
    isMetadataOnlyViewer(organization, member, channel.id)
      ? JSON.stringify(presentChannelFor(organization, member, channel))
      : cachedText(channel.id, maySeeFirstMessage(organization, member, channel))
  const subscribersOf = ({ id }: Channel): object =>
    form.includeSubscribers === 'false' ? {} : subscriberFields(organization, member, id, form.includeSubscribers)
  const textOfTie = ({ channel, subscription }: OwnSubscription): string => {
    const chosen = subscriptionFields(subscription)
    const fields = form.capabilities.notification_settings_null ? chosen : withInheritedSettings(chosen, own)
    return addJsonFields(textOf(channel), { ...fields, ...subscribersOf(channel) })
  }
  const textOfOther = (channel: Channel): string => addJsonFields(textOf(channel), subscribersOf(channel))
  return joinIntoPieces([
    '{"subscriptions":[',
    ...serializeListItems(subscribed, textOfTie),
    '],"unsubscribed":[',
    ...serializeListItems(unsubscribed, textOfTie),
    '],"never_subscribed":[',
    ...serializeListItems(others, textOfOther),
    ']}',
  ])
}

/** `text`: JSON of a nonempty object that has none of the `fields`. */
function addJsonFields(text: string, fields: object): string {
  const added = JSON.stringify(fields)
  return added === '{}' ? text : `${text.slice(0, -1)},${added.slice(1)}`
}

function presentSubscriptionForClient(
  record: contract.SubscriptionRecord,
  viewer: Viewer,
): contract.SubscriptionRecord {
  const { organization, form } = viewer
  const own = userById(organization, viewer.userId)
  const chosen = organization.of(subscriptionsProjection).byUser.get(viewer.userId)?.get(record.stream_id)
  const channel = organization.of(channelsProjection).byId.get(record.stream_id)
  // The user may have lost access to the channel since the event.
  const member = own === undefined ? undefined : { userId: own.id, role: own.role }
  const knows = member !== undefined && channel !== undefined && canSeeChannel(organization, member, channel)
  const shown = isFirstMessageHidden(record, viewer) ? withoutFirstMessage(record) : record
  const mine = chosen === undefined ? shown : presentSubscription(shown, chosen)
  const wanted = form.includeSubscribers === 'false' ? 'false' : 'true'
  const nobody = wanted === 'false' ? {} : { subscribers: [] }
  const full = knows ? withSubscribers(organization, member, mine, wanted) : { ...mine, ...nobody }
  return form.capabilities.notification_settings_null || own === undefined ? full : withInheritedSettings(full, own)
}

interface OwnSubscription {
  readonly channel: Channel
  readonly subscription: Subscription
}

function ownSubscriptions(
  organization: OrganizationState,
  member: Member,
  includeArchived: boolean,
): { subscribed: OwnSubscription[]; unsubscribed: OwnSubscription[]; others: Channel[] } {
  const mine = organization.of(subscriptionsProjection).byUser.get(member.userId)
  const ties: ReturnType<typeof ownSubscriptions> = { subscribed: [], unsubscribed: [], others: [] }
  for (const channel of visibleChannels(organization, member, includeArchived)) {
    const subscription = mine?.get(channel.id)
    if (subscription === undefined) ties.others.push(channel)
    else (isCurrentSubscription(subscription) ? ties.subscribed : ties.unsubscribed).push({ channel, subscription })
  }
  return ties
}

function presentOwnSubscription(
  organization: OrganizationState,
  member: Member,
  { channel, subscription }: OwnSubscription,
  includeSubscribers: ClientForm['includeSubscribers'],
): contract.SubscriptionRecord {
  const record = presentSubscription(presentChannelFor(organization, member, channel), subscription)
  return withSubscribers(organization, member, record, includeSubscribers)
}

export const MIN_PARTIAL_SUBSCRIBERS = 250

function withSubscribers<Record extends ListedChannel>(
  organization: OrganizationState,
  member: Member,
  record: Record,
  wanted: ClientForm['includeSubscribers'],
): Record {
  return wanted === 'false'
    ? record
    : { ...record, ...subscriberFields(organization, member, record.stream_id, wanted) }
}

function subscriberFields(
  organization: OrganizationState,
  member: Member,
  channelId: number,
  wanted: Exclude<ClientForm['includeSubscribers'], 'false'>,
): Pick<ListedChannel, 'subscribers' | 'partial_subscribers'> {
  const all = visibleSubscribers(organization, member, channelId)
  const part = wanted === 'partial' && all.length >= MIN_PARTIAL_SUBSCRIBERS ? partialListOf(organization, all) : all
  return part.length < all.length ? { partial_subscribers: [...part] } : { subscribers: [...all] }
}

interface PartialList {
  readonly version: number
  readonly userIds: readonly number[]
}

/** Most viewers share one list of subscribers. Its partial list is kept until the set of active users changes. */
const partialLists = new WeakMap<readonly number[], PartialList>()

function partialListOf(organization: OrganizationState, all: readonly number[]): readonly number[] {
  const active = recentlyActiveUsers(organization)
  const known = partialLists.get(all)
  if (known?.version === active.version) return known.userIds
  const { bots } = organization.of(usersProjection)
  const userIds = all.filter((userId) => active.has(userId) || bots.has(userId))
  partialLists.set(all, { version: active.version, userIds })
  return userIds
}

const MIN_PIECE_CHARACTERS = 256 * 1024

/** Serialized JSON by channel ID. Don't keep it across an `await`: it becomes invalid when a dependency changes. */
interface SerializedChannels extends TrackedDependencies {
  readonly whole: Map<number, string>
  readonly withoutFirst: Map<number, string>
}

const serializedByOrganization = new WeakMap<OrganizationState, SerializedChannels>()

function channelSerializer(organization: OrganizationState): (channelId: number, isWhole: boolean) => string {
  const known = serializedByOrganization.get(organization)
  const isValid = known !== undefined && isFresh(organization, known)
  const texts: SerializedChannels = isValid
    ? known
    : { ...trackDependencies(organization), whole: new Map(), withoutFirst: new Map() }
  serializedByOrganization.set(organization, texts)
  return (channelId, isWhole) => {
    const made = isWhole ? texts.whole : texts.withoutFirst
    const text = made.get(channelId) ?? serializeChannel(texts.organization, channelId, isWhole)
    made.set(channelId, text)
    return text
  }
}

function serializeChannel(organization: OrganizationState, channelId: number, isWhole: boolean): string {
  const channel = channelById(organization, channelId)
  if (channel === undefined) throw new Error(`channel ${channelId} is visible but missing`)
  const record = presentChannel(organization, channel)
  return JSON.stringify(isWhole ? record : withoutFirstMessage(record))
}

function serializeListItems<Item>(items: readonly Item[], textOf: (item: Item) => string): string[] {
  return items.map((item, index) => (index === 0 ? textOf(item) : `,${textOf(item)}`))
}

function joinIntoPieces(texts: readonly string[]): JsonPieces {
  const pieces: [string, ...string[]] = ['']
  for (const text of texts) {
    const last = pieces.length - 1
    if ((pieces[last] ?? '').length < MIN_PIECE_CHARACTERS) pieces[last] += text
    else pieces.push(text)
  }
  return pieces
}
