import { sql } from 'kysely'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { userById, userSetting, type UserRow } from '../../users/queries/index.ts'
import { lastWeek, peopleAway } from '../queries.ts'

const DAY_SECONDS = 86_400
/** Prevents a second digest if another server just started one. */
const APART_SECONDS = 5 * DAY_SECONDS
/** After a longer pause, the next run counts as a first run. */
const PAUSE_SECONDS = 15 * DAY_SECONDS

/** Starts the weekly digest. The first run only records where the next digest starts. */
export async function beginWeek(tx: Tx): Promise<void> {
  const stored = await lastWeek(tx.db, tx.organizationId)
  if (stored !== undefined && stored.begunAt > tx.now - APART_SECONDS) return
  if (!settingOf(tx.organization, 'digest_emails_enabled')) return
  const last = stored !== undefined && stored.begunAt > tx.now - PAUSE_SECONDS ? stored : undefined
  const { position } = tx.organization
  await sql`
    insert into digest_weeks (organization_id, begun_at, position, since)
    values (${tx.organizationId}, ${tx.now}, ${position}, ${last?.position ?? position})
    on conflict (organization_id) do update
    set begun_at = excluded.begun_at, position = excluded.position, since = excluded.since`.execute(tx.db)
  if (last === undefined) return
  const readers = (await peopleAway(tx.db, tx.organizationId, tx.now)).filter((userId) => {
    const user = userById(tx.organization, userId)
    return user !== undefined && wantsDigest(tx.organization, user)
  })
  await tx.db.rows(
    'add_digest_readers',
    'insert into digest_readers (organization_id, user_id) select $1, unnest($2::bigint[]) on conflict do nothing',
    [tx.organizationId, readers],
  )
}

/** Whether an account gets digests: not if the organization or the user excludes message content from emails. */
export function wantsDigest(organization: OrganizationState, user: UserRow): boolean {
  return (
    settingOf(organization, 'digest_emails_enabled') &&
    settingOf(organization, 'message_content_allowed_in_email_notifications') &&
    user.isActive &&
    user.botType === null &&
    userSetting(user, 'enable_digest_emails') &&
    userSetting(user, 'message_content_in_email_notifications')
  )
}

/** @returns false if another server already wrote the digest */
export async function takeReader(tx: Tx, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('digest_readers')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
