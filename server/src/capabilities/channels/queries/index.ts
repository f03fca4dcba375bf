import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Projection, OrganizationState } from '../../../kernel/projection.ts'
import type { GroupSettingValue } from '../../groups/contract/index.ts'
import type { ChannelPermission } from '../../groups/contract/permissions.ts'
import { presentSettings } from '../../groups/queries.ts'
import { systemGroupId } from '../../groups/rules.ts'
import { userSetting, type UserRow } from '../../users/queries/index.ts'
import type { ChannelRecord, SubscriptionRecord } from '../contract/index.ts'

export interface Channel {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly renderedDescription: string
  readonly dateCreated: number
  readonly creatorId: number | null
  readonly inviteOnly: boolean
  readonly isWebPublic: boolean
  /** Position since which spectators can read the channel's messages; null if they can read none. */
  readonly webPublicFrom: number | null
  readonly isHiddenFromSearchEngines: boolean
  readonly historyPublic: boolean
  readonly isDefault: boolean
  readonly isArchived: boolean
  readonly messageRetentionDays: number | null
  readonly topicsPolicy: ChannelRecord['topics_policy']
  readonly folderId: number | null
  readonly firstMessageId: number | null
  readonly isRecentlyActive: boolean
  readonly weeklyTraffic: number | null
  readonly permissions: Readonly<Record<ChannelPermission, GroupSettingValue>>
}

export interface ChannelsState {
  readonly byId: Map<number, Channel>
  readonly byName: Map<string, Channel>
}

export const channelsProjection: Projection<ChannelsState, Channel> = {
  name: 'channels',
  takesRights({ byId }, channel) {
    const previous = byId.get(channel.id)
    return (
      previous !== undefined && !isDeepStrictEqual(fieldsThatAffectAccess(previous), fieldsThatAffectAccess(channel))
    )
  },
  empty: () => ({ byId: new Map(), byName: new Map() }),
  async load(state, db, organizationId) {
    const rows = await db
      .selectFrom('channels')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
    for (const row of rows) {
      channelsProjection.apply(
        state,
        {
          id: row.id,
          name: row.name,
          description: row.description,
          renderedDescription: row.rendered_description,
          dateCreated: row.date_created,
          creatorId: row.creator_id,
          inviteOnly: row.invite_only,
          isWebPublic: row.is_web_public,
          webPublicFrom: row.web_public_from,
          isHiddenFromSearchEngines: row.hidden_from_search_engines,
          historyPublic: row.history_public_to_subscribers,
          isDefault: row.is_default,
          isArchived: row.is_archived,
          messageRetentionDays: row.message_retention_days,
          // Safe: only this capability's actions write these columns, with validated values.
          topicsPolicy: row.topics_policy as ChannelRecord['topics_policy'],
          folderId: row.folder_id,
          firstMessageId: row.first_message_id,
          isRecentlyActive: row.is_recently_active,
          weeklyTraffic: row.weekly_traffic,
          permissions: row.permissions as Channel['permissions'],
        },
        0,
      )
    }
  },
  apply(state, channel) {
    const previous = state.byId.get(channel.id)
    if (previous !== undefined) state.byName.delete(caseKey(previous.name))
    // A server running the previous version does not know these fields, and therefore omits them.
    const merged = { ...previous, ...channel }
    const known = {
      ...merged,
      webPublicFrom: merged.isWebPublic ? (merged.webPublicFrom ?? null) : null,
      isHiddenFromSearchEngines: merged.isHiddenFromSearchEngines ?? false,
    }
    state.byId.set(channel.id, known)
    state.byName.set(caseKey(channel.name), known)
  },
}

function fieldsThatAffectAccess(channel: Channel): unknown {
  const { inviteOnly, isWebPublic, webPublicFrom, historyPublic, isArchived, topicsPolicy, permissions } = channel
  return { inviteOnly, isWebPublic, webPublicFrom, historyPublic, isArchived, topicsPolicy, permissions }
}

export interface Subscription {
  readonly userId: number
  readonly channelId: number
  /** Start and end positions; the end is exclusive, and null for the current period. */
  readonly periods: readonly (readonly [number, number | null])[]
  /** Whether deactivation suspended the subscription; it resumes on reactivation. */
  readonly isResting: boolean
  readonly color: string
  readonly isMuted: boolean
  readonly pinToTop: boolean
  readonly desktopNotifications: boolean | null
  readonly audibleNotifications: boolean | null
  readonly pushNotifications: boolean | null
  readonly emailNotifications: boolean | null
  readonly wildcardMentionsNotify: boolean | null
}

interface SubscriptionGroup extends Omit<Subscription, 'userId' | 'channelId' | 'periods'> {
  readonly userIds: readonly number[]
  readonly channelIds: readonly number[]
  readonly starts: readonly number[]
  /** Null if all these subscriptions have only a current period. */
  readonly periods: string | null
}

export interface SubscriptionsState {
  readonly byUser: Map<number, Map<number, Subscription>>
  readonly subscribers: Map<number, Set<number>>
  /** For each channel, the position at which any user last joined, even if that user has left since. */
  readonly lastJoins: Map<number, number>
}

export const subscriptionsProjection: Projection<
  SubscriptionsState,
  { readonly subscriptions: readonly Subscription[] }
> = {
  name: 'subscriptions',
  takesRights: ({ subscribers }, { subscriptions }) =>
    subscriptions.some(
      (row) => !isCurrentSubscription(row) && subscribers.get(row.channelId)?.has(row.userId) === true,
    ),
  empty: () => ({ byUser: new Map(), subscribers: new Map(), lastJoins: new Map() }),
  async load(state, db, organizationId) {
    // One row per distinct set of properties, because a row per subscription would be much slower.
    const { rows } = await sql<SubscriptionGroup>`
      select array_agg(user_id) as "userIds", array_agg(channel_id) as "channelIds", array_agg(lower(periods)) as starts,
        case when periods <> multirange(int8range(lower(periods), null)) then periods end as periods,
        is_resting as "isResting", color, is_muted as "isMuted", pin_to_top as "pinToTop",
        desktop_notifications as "desktopNotifications", audible_notifications as "audibleNotifications",
        push_notifications as "pushNotifications", email_notifications as "emailNotifications",
        wildcard_mentions_notify as "wildcardMentionsNotify"
      from subscriptions where organization_id = ${organizationId}
      group by 4, 5, 6, 7, 8, 9, 10, 11, 12, 13`.execute(db)
    for (const { userIds, channelIds, starts, periods, ...choices } of rows) {
      const all = periods === null ? undefined : parsePeriods(periods)
      for (const [index, userId] of userIds.entries()) {
        putSubscription(state, {
          userId,
          channelId: channelIds[index] ?? 0,
          periods: all ?? [[starts[index] ?? 0, null]],
          isResting: choices.isResting,
          color: choices.color,
          isMuted: choices.isMuted,
          pinToTop: choices.pinToTop,
          desktopNotifications: choices.desktopNotifications,
          audibleNotifications: choices.audibleNotifications,
          pushNotifications: choices.pushNotifications,
          emailNotifications: choices.emailNotifications,
          wildcardMentionsNotify: choices.wildcardMentionsNotify,
        })
      }
    }
  },
  apply(state, { subscriptions }) {
    for (const row of subscriptions) putSubscription(state, row)
  },
}

function putSubscription(state: SubscriptionsState, row: Subscription): void {
  let mine = state.byUser.get(row.userId)
  if (mine === undefined) {
    mine = new Map()
    state.byUser.set(row.userId, mine)
  }
  mine.set(row.channelId, row)
  const [came] = row.periods.at(-1) ?? [0]
  state.lastJoins.set(row.channelId, Math.max(state.lastJoins.get(row.channelId) ?? 0, came))
  const subscribers = subscribersIn(state, row.channelId)
  if (subscribers.has(row.userId) === isCurrentSubscription(row)) return
  if (isCurrentSubscription(row)) subscribers.add(row.userId)
  else subscribers.delete(row.userId)
  sortedSubscribersBySet.delete(subscribers)
}

function subscribersIn(state: SubscriptionsState, channelId: number): Set<number> {
  let subscribers = state.subscribers.get(channelId)
  if (subscribers === undefined) {
    subscribers = new Set()
    state.subscribers.set(channelId, subscribers)
  }
  return subscribers
}

function parsePeriods(text: string): Subscription['periods'] {
  return [...text.matchAll(/\[(\d+),(\d*)\)/g)].map(([, start, end]) => [
    Number(start),
    end === '' ? null : Number(end),
  ])
}

export function isCurrentSubscription(subscription: Subscription): boolean {
  return subscription.periods.at(-1)?.[1] === null
}

export function wasSubscribed(
  organization: OrganizationState,
  userId: number,
  channelId: number,
  position: number,
): boolean {
  const subscription = organization.of(subscriptionsProjection).byUser.get(userId)?.get(channelId)
  return subscription !== undefined && wasSubscribedAt(subscription, position)
}

export function wasSubscribedAt({ periods }: Pick<Subscription, 'periods'>, position: number): boolean {
  return periods.some(([start, end]) => start <= position && (end === null || position < end))
}

/** Returns `positions` itself if all are within the periods. Both inputs are ascending, and can be very long. */
export function positionsWithin(positions: readonly number[], periods: Subscription['periods']): readonly number[] {
  const found: (readonly number[])[] = []
  for (const [start, end] of periods) {
    const [from, to] = [
      indexOfFirstAtLeast(positions, start),
      end === null ? positions.length : indexOfFirstAtLeast(positions, end),
    ]
    if (from === 0 && to === positions.length) return positions
    if (from < to) found.push(positions.slice(from, to))
  }
  const [first = [], ...others] = found
  const all = others.length === 0 ? first : found.flat()
  return all.length === positions.length ? positions : all
}

function indexOfFirstAtLeast(positions: readonly number[], position: number): number {
  let [low, high] = [0, positions.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((positions[middle] ?? Infinity) < position) low = middle + 1
    else high = middle
  }
  return low
}

export function subscribedPeriods(
  organization: OrganizationState,
  userId: number,
  channelId: number,
): Subscription['periods'] {
  return organization.of(subscriptionsProjection).byUser.get(userId)?.get(channelId)?.periods ?? []
}

export function isSubscribed(organization: OrganizationState, userId: number, channelId: number): boolean {
  const subscription = organization.of(subscriptionsProjection).byUser.get(userId)?.get(channelId)
  return subscription !== undefined && isCurrentSubscription(subscription)
}

const NO_SUBSCRIBERS: ReadonlySet<number> = new Set()

export function subscribersOf(organization: OrganizationState, channelId: number): ReadonlySet<number> {
  return organization.of(subscriptionsProjection).subscribers.get(channelId) ?? NO_SUBSCRIBERS
}

export function areAllSubscribedSince(organization: OrganizationState, channelId: number, position: number): boolean {
  return (organization.of(subscriptionsProjection).lastJoins.get(channelId) ?? 0) <= position
}

const sortedSubscribersBySet = new WeakMap<ReadonlySet<number>, readonly number[]>()

/** Returns the same array until the channel's subscribers change. */
export function sortedSubscribers(organization: OrganizationState, channelId: number): readonly number[] {
  const subscribers = subscribersOf(organization, channelId)
  let list = sortedSubscribersBySet.get(subscribers)
  if (list === undefined) {
    list = Array.from(Float64Array.from(subscribers).toSorted())
    sortedSubscribersBySet.set(subscribers, list)
  }
  return list
}

export function channelById(organization: OrganizationState, channelId: number): Channel | undefined {
  return organization.of(channelsProjection).byId.get(channelId)
}

export function channelByName(organization: OrganizationState, name: string): Channel | undefined {
  return organization.of(channelsProjection).byName.get(caseKey(name))
}

/** Counts subscribers unless given `subscriberCount`, which is needed before new subscriptions are applied. */
export function presentChannel(
  organization: OrganizationState,
  channel: Channel,
  subscriberCount?: number,
): ChannelRecord {
  const postPolicy = postPolicyOf(organization, channel)
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.renderedDescription,
    date_created: channel.dateCreated,
    creator_id: channel.creatorId,
    invite_only: channel.inviteOnly,
    is_web_public: channel.isWebPublic,
    history_public_to_subscribers: channel.historyPublic,
    is_archived: channel.isArchived,
    message_retention_days: channel.messageRetentionDays,
    topics_policy: channel.topicsPolicy,
    first_message_id: channel.firstMessageId,
    folder_id: channel.folderId,
    is_recently_active: channel.isRecentlyActive,
    stream_weekly_traffic: channel.weeklyTraffic,
    subscriber_count: subscriberCount ?? subscribersOf(organization, channel.id).size,
    ...presentSettings(organization, channel.permissions),
    stream_post_policy: postPolicy,
    is_announcement_only: postPolicy === POST_POLICY_ADMINISTRATORS,
  }
}

const POST_POLICY_ADMINISTRATORS = 2

/** 1 means everyone, or a group that the legacy policy cannot express. */
function postPolicyOf(organization: OrganizationState, channel: Channel): number {
  switch (channel.permissions.can_send_message_group) {
    case systemGroupId(organization, 'role:administrators'):
      return POST_POLICY_ADMINISTRATORS
    case systemGroupId(organization, 'role:fullmembers'):
      return 3
    case systemGroupId(organization, 'role:moderators'):
      return 4
    default:
      return 1
  }
}

type SubscriptionFields = Omit<SubscriptionRecord, keyof ChannelRecord>

export function presentSubscription(record: ChannelRecord, subscription: Subscription): SubscriptionRecord {
  return { ...record, ...subscriptionFields(subscription) }
}

export function subscriptionFields(subscription: Subscription): SubscriptionFields {
  return {
    color: subscription.color,
    is_muted: subscription.isMuted,
    in_home_view: !subscription.isMuted,
    pin_to_top: subscription.pinToTop,
    desktop_notifications: subscription.desktopNotifications,
    audible_notifications: subscription.audibleNotifications,
    push_notifications: subscription.pushNotifications,
    email_notifications: subscription.emailNotifications,
    wildcard_mentions_notify: subscription.wildcardMentionsNotify,
  }
}

export function withInheritedSettings<Fields extends SubscriptionFields>(record: Fields, user: UserRow): Fields {
  return {
    ...record,
    desktop_notifications: record.desktop_notifications ?? userSetting(user, 'enable_stream_desktop_notifications'),
    audible_notifications: record.audible_notifications ?? userSetting(user, 'enable_stream_audible_notifications'),
    push_notifications: record.push_notifications ?? userSetting(user, 'enable_stream_push_notifications'),
    email_notifications: record.email_notifications ?? userSetting(user, 'enable_stream_email_notifications'),
    wildcard_mentions_notify: record.wildcard_mentions_notify ?? userSetting(user, 'wildcard_mentions_notify'),
  }
}

export interface UserChannel {
  readonly userId: number
  readonly channelId: number
}
