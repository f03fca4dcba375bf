import type { Tx } from '../../../kernel/transaction.ts'
import type { Missing } from '../queries.ts'

/** Which messages a person may have missed, and when that is looked at. */
export interface Noted {
  readonly firstId: number
  newestId: number
  readonly dueAt: number
}

const NOTE = `
  insert into missed_messages as m (organization_id, user_id, first_id, newest_id, due_at)
  select $1, * from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
  on conflict (organization_id, user_id) do update
  set newest_id = greatest(m.newest_id, excluded.newest_id), due_at = least(m.due_at, excluded.due_at)`

/** Notes who may have missed messages. Who did already is looked at when that is due. */
export async function noteMissing(tx: Tx, noted: ReadonlyMap<number, Noted>): Promise<void> {
  if (noted.size === 0) return
  const rows = [...noted.values()]
  await tx.db.rows('note_missed_messages', NOTE, [
    tx.organizationId,
    [...noted.keys()],
    rows.map(({ firstId }) => firstId),
    rows.map(({ newestId }) => newestId),
    rows.map(({ dueAt }) => dueAt),
  ])
}

const FORGET = `
  delete from missed_messages where organization_id = $1 and user_id = $2 and first_id = $3 and newest_id = $4
  returning 1`

/**
 * Takes away what a person may have missed, as it was looked at.
 * @returns whether it was still so: meanwhile there may be more, and another process may have been there
 */
export async function forgetMissing(tx: Tx, { userId, firstId, newestId }: Missing): Promise<boolean> {
  const forgotten = await tx.db.rows('forget_missed_messages', FORGET, [tx.organizationId, userId, firstId, newestId])
  return forgotten.length > 0
}

/** Looks later at what a person may have missed from a message on. */
export async function putOffMissing(
  tx: Tx,
  { userId, newestId }: Missing,
  { firstId, dueAt }: { readonly firstId: number; readonly dueAt: number },
): Promise<void> {
  await noteMissing(tx, new Map([[userId, { firstId, newestId, dueAt }]]))
}

/** Gives up: whatever the person may have missed. */
export async function dropMissing(tx: Tx, userId: number): Promise<void> {
  await tx.db
    .deleteFrom('missed_messages')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .execute()
}
