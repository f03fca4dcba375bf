import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Db } from '../../../kernel/transaction.ts'
import { keysOf } from '../../../kernel/keys.ts'
import { subscriptionsProjection, channelById, isOpen } from '../../channels/queries/index.ts'
import { USER_SETTING_NAMES } from '../../users/contract/settings.ts'
import { userById, userSetting } from '../../users/queries/index.ts'

/** Keyed by folder of the archive. Per-person limits bound each result. */
const OWN_ROWS = {
  user_topics: `
    select user_id, channel_id as stream_id, topic_name, visibility_policy, last_updated from user_topics
    where organization_id = $1 and user_id = $2 order by channel_id, name_key`,
  alert_words: `
    select user_id, word from alert_words where organization_id = $1 and user_id = $2 order by id`,
  muted_users: `
    select user_id, muted_user_id, date_muted as timestamp from muted_users
    where organization_id = $1 and user_id = $2 order by id`,
  drafts: `
    select user_id, id, type, recipient_ids as "to", topic, content, last_edited as timestamp from drafts
    where organization_id = $1 and user_id = $2 order by id`,
  saved_snippets: `
    select user_id, id, title, content, date_created from saved_snippets
    where organization_id = $1 and user_id = $2 order by id`,
  scheduled_messages: `
    select user_id, id as scheduled_message_id, channel_id as stream_id, member_ids as recipient_ids, topic, content,
      delivery_at as scheduled_delivery_timestamp, failed from scheduled_messages
    where organization_id = $1 and user_id = $2 order by id`,
  reminders: `
    select user_id, id as reminder_id, message_id as reminder_target_message_id, content,
      delivery_at as scheduled_delivery_timestamp, failed from reminders
    where organization_id = $1 and user_id = $2 order by id`,
} as const

export type OwnKind = keyof typeof OWN_ROWS
export const OWN_KINDS = keysOf(OWN_ROWS)

export async function ownRows(db: Db, organizationId: number, userId: number, kind: OwnKind): Promise<object[]> {
  return db.rows(`exported_${kind}`, OWN_ROWS[kind], [organizationId, userId])
}

const STARS_TOGETHER = 10_000

const STARRED = `
  select message_id from message_flags where organization_id = $1 and user_id = $2 and starred and message_id > $3
  order by message_id limit ${STARS_TOGETHER}`

export async function* starredBy(db: Db, organizationId: number, userId: number): AsyncGenerator<object> {
  let after = 0
  for (;;) {
    const rows = await db.rows<{ message_id: number }>('exported_stars', STARRED, [organizationId, userId, after])
    for (const { message_id } of rows) yield { user_id: userId, message_id }
    const last = rows.at(-1)
    if (last === undefined || rows.length < STARS_TOGETHER) return
    after = last.message_id
  }
}

export function ownSettings(organization: OrganizationState, userId: number): object[] {
  const user = userById(organization, userId)
  if (user === undefined) return []
  const settings = USER_SETTING_NAMES.map((name) => [name, userSetting(user, name)] as const)
  return [{ user_id: userId, ...Object.fromEntries(settings), timezone: user.timezone }]
}

export function ownSubscriptions(organization: OrganizationState, userId: number): object[] {
  const all = [...(organization.of(subscriptionsProjection).byUser.get(userId)?.values() ?? [])]
  return all.filter(isOpen).map((row) => ({
    user_id: userId,
    stream_id: row.channelId,
    name: channelById(organization, row.channelId)?.name,
    color: row.color,
    is_muted: row.isMuted,
    pin_to_top: row.pinToTop,
    desktop_notifications: row.desktopNotifications,
    audible_notifications: row.audibleNotifications,
    push_notifications: row.pushNotifications,
    email_notifications: row.emailNotifications,
    wildcard_mentions_notify: row.wildcardMentionsNotify,
  }))
}
