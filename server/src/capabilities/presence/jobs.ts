import type { OrganizationState } from '../../kernel/projection.ts'
import type { Db } from '../../kernel/transaction.ts'
import { unwrittenActivity, MIN_WRITE_INTERVAL_SECONDS } from './queries/activity.ts'

const WRITE_ACTIVITY = `
insert into user_activity as a (organization_id, user_id, noted_at)
select * from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as noted(organization_id, user_id, noted_at) order by 1, 2
on conflict (organization_id, user_id) do update set noted_at = excluded.noted_at
where a.noted_at <= excluded.noted_at - ${MIN_WRITE_INTERVAL_SECONDS}`

export async function writeActivity(db: Db, organizations: readonly OrganizationState[]): Promise<void> {
  const notes = organizations.flatMap((organization) =>
    [...unwrittenActivity(organization)].map(([userId, notedAt]) => ({ organization, userId, notedAt })),
  )
  if (notes.length === 0) return
  await db.rows('write_activity', WRITE_ACTIVITY, [
    notes.map(({ organization }) => organization.id),
    notes.map(({ userId }) => userId),
    notes.map(({ notedAt }) => notedAt),
  ])
  for (const { organization, userId, notedAt } of notes) {
    const unwritten = unwrittenActivity(organization)
    if (unwritten.get(userId) === notedAt) unwritten.delete(userId)
  }
}
