import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Db } from '../../../kernel/transaction.ts'
import type { OwnRows } from '../../../platform/moving/carried.ts'
import { subscriptionsProjection, channelById, isCurrentSubscription } from '../../channels/queries/index.ts'
import { USER_SETTING_NAMES } from '../../users/contract/settings.ts'
import { userById, userSetting } from '../../users/queries/index.ts'

export async function readOwnRows(
  { table, sql }: OwnRows,
  db: Db,
  organizationId: number,
  userId: number,
): Promise<object[]> {
  return db.rows(`exported_${table}`, sql, [organizationId, userId])
}

const STARS_PER_PAGE = 10_000

const STARRED_MESSAGES = `
  select message_id from message_flags where organization_id = $1 and user_id = $2 and starred and message_id > $3
  order by message_id limit ${STARS_PER_PAGE}`

export async function* starredMessagesOf(db: Db, organizationId: number, userId: number): AsyncGenerator<object> {
  let after = 0
  for (;;) {
    const rows = await db.rows<{ message_id: number }>('exported_stars', STARRED_MESSAGES, [
      organizationId,
      userId,
      after,
    ])
    for (const { message_id } of rows) yield { user_id: userId, message_id }
    const last = rows.at(-1)
    if (last === undefined || rows.length < STARS_PER_PAGE) return
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
  return all.filter(isCurrentSubscription).map((row) => ({
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
