import { isDeepStrictEqual } from 'node:util'
import { entriesOf } from '../../../kernel/keys.ts'
import type { Audience } from '../../../kernel/audience.ts'
import type { Input } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import {
  subscriptionUpdated,
  type SubscriptionProperty,
  type updateSubscription as one,
  type updateSubscriptionSettings as several,
} from '../contract/properties.ts'
import { userSetting, type UserRow } from '../../users/queries/index.ts'
import { channelById, isCurrentSubscription, subscriptionsProjection, type Subscription } from '../queries/index.ts'
import { channelClientFilter } from '../rules/index.ts'

const COLOR_PATTERN = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i

type SubscriptionSettingInput = Input<typeof one>

export async function updateSubscriptionSettings(
  tx: ActorTx,
  input: Input<typeof several>,
): Promise<Record<string, never>> {
  const before = tx.organization.of(subscriptionsProjection).byUser.get(tx.actor.userId)
  const changed = new Map<number, Subscription>()
  const announced: SubscriptionSettingInput[] = []
  for (const choice of input.subscription_data) {
    const known = changed.get(choice.stream_id) ?? before?.get(choice.stream_id)
    // Hidden and missing channels get the same error as channels that the user left.
    if (known === undefined || !isCurrentSubscription(known)) {
      throw new ApiError('BAD_REQUEST', `Not subscribed to channel id ${choice.stream_id}`)
    }
    const part = changedFields(choice)
    const after = { ...known, ...part }
    if (isDeepStrictEqual(after, known)) continue
    changed.set(choice.stream_id, after)
    announced.push(...settingsToAnnounce(choice))
  }
  if (changed.size === 0) return {}
  const rows = [...changed.values()]
  await writeSubscriptions(tx, rows)
  tx.change(subscriptionsProjection, { subscriptions: rows })
  for (const choice of announced) tx.emit(subscriptionUpdated, choice, subscriberAudience(tx, tx.actor.userId, choice))
  return {}
}

function subscriberAudience(tx: ActorTx, userId: number, { stream_id }: SubscriptionSettingInput): Audience {
  const channel = channelById(tx.organization, stream_id)
  return { users: [userId], ...(channel === undefined ? {} : channelClientFilter(channel)) }
}

export async function updateSubscription(tx: ActorTx, input: SubscriptionSettingInput): Promise<Record<string, never>> {
  return updateSubscriptionSettings(tx, { subscription_data: [input] })
}

/** Channel properties that can be null, each with the user setting that then applies. */
const INHERITED_SETTINGS = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  push_notifications: 'enable_stream_push_notifications',
  email_notifications: 'enable_stream_email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const

/** Sends inherited values to clients that do not support null settings. The event's `refId` excludes other clients. */
export function emitInheritedSettings(tx: ActorTx, before: UserRow, after: UserRow): void {
  const mine = [...(tx.organization.of(subscriptionsProjection).byUser.get(after.id)?.values() ?? [])]
  for (const [property, settingName] of entriesOf(INHERITED_SETTINGS)) {
    const value = userSetting(after, settingName)
    if (value === userSetting(before, settingName)) continue
    for (const subscription of mine) {
      if (inheritableValues(subscription)[property] !== null) continue
      const choice = { stream_id: subscription.channelId, property, value }
      tx.emit(subscriptionUpdated, choice, subscriberAudience(tx, after.id, choice), after.id)
    }
  }
}

function inheritableValues(subscription: Subscription): Record<keyof typeof INHERITED_SETTINGS, boolean | null> {
  return {
    desktop_notifications: subscription.desktopNotifications,
    audible_notifications: subscription.audibleNotifications,
    push_notifications: subscription.pushNotifications,
    email_notifications: subscription.emailNotifications,
    wildcard_mentions_notify: subscription.wildcardMentionsNotify,
  }
}

export function validColor(value: unknown): string {
  if (typeof value === 'string' && COLOR_PATTERN.test(value)) return value
  throw new ApiError('BAD_REQUEST', 'color is not a valid hex color code')
}

function changedFields({ property, value }: SubscriptionSettingInput): Partial<Subscription> {
  if (property === 'color') {
    return { color: validColor(value) }
  }
  if (typeof value !== 'boolean') throw new ApiError('BAD_REQUEST', `${property} is not a boolean`)
  return changedBooleanField(property, value)
}

function changedBooleanField(property: Exclude<SubscriptionProperty, 'color'>, value: boolean): Partial<Subscription> {
  switch (property) {
    case 'is_muted':
      return { isMuted: value }
    case 'in_home_view':
      return { isMuted: !value }
    case 'pin_to_top':
      return { pinToTop: value }
    case 'desktop_notifications':
      return { desktopNotifications: value }
    case 'audible_notifications':
      return { audibleNotifications: value }
    case 'push_notifications':
      return { pushNotifications: value }
    case 'email_notifications':
      return { emailNotifications: value }
    case 'wildcard_mentions_notify':
      return { wildcardMentionsNotify: value }
  }
}

function settingsToAnnounce(choice: SubscriptionSettingInput): SubscriptionSettingInput[] {
  const { stream_id, property, value } = choice
  if (property !== 'is_muted' && property !== 'in_home_view') return [choice]
  const isMuted = property === 'is_muted' ? value === true : value === false
  return [
    { stream_id, property: 'is_muted', value: isMuted },
    { stream_id, property: 'in_home_view', value: !isMuted },
  ]
}

async function writeSubscriptions(tx: ActorTx, rows: readonly Subscription[]): Promise<void> {
  await tx.db.rows(
    'write_channel_properties',
    `update subscriptions s set
       color = i.color, is_muted = i.is_muted, pin_to_top = i.pin_to_top,
       desktop_notifications = i.desktop, audible_notifications = i.audible, push_notifications = i.push,
       email_notifications = i.email, wildcard_mentions_notify = i.wildcard
     from unnest($3::bigint[], $4::text[], $5::boolean[], $6::boolean[], $7::boolean[], $8::boolean[], $9::boolean[],
                 $10::boolean[], $11::boolean[])
       as i(channel_id, color, is_muted, pin_to_top, desktop, audible, push, email, wildcard)
     where s.organization_id = $1 and s.user_id = $2 and s.channel_id = i.channel_id`,
    [
      tx.organizationId,
      tx.actor.userId,
      rows.map((row) => row.channelId),
      rows.map((row) => row.color),
      rows.map((row) => row.isMuted),
      rows.map((row) => row.pinToTop),
      rows.map((row) => row.desktopNotifications),
      rows.map((row) => row.audibleNotifications),
      rows.map((row) => row.pushNotifications),
      rows.map((row) => row.emailNotifications),
      rows.map((row) => row.wildcardMentionsNotify),
    ],
  )
}
