import type { Tx } from '../../../kernel/transaction.ts'
import type { MissedRange } from '../queries.ts'

export interface PendingCheck {
  readonly firstId: number
  newestId: number
  readonly dueAt: number
}

const RECORD_MISSED_MESSAGES = `
  insert into missed_messages as m (organization_id, user_id, first_id, newest_id, due_at)
  select $1, * from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
  on conflict (organization_id, user_id) do update
  set newest_id = greatest(m.newest_id, excluded.newest_id), due_at = least(m.due_at, excluded.due_at)`

/** A record that already exists keeps the earlier of the two due times. */
export async function recordMissedMessages(tx: Tx, noted: ReadonlyMap<number, PendingCheck>): Promise<void> {
  if (noted.size === 0) return
  const rows = [...noted.values()]
  await tx.db.rows('note_missed_messages', RECORD_MISSED_MESSAGES, [
    tx.organizationId,
    [...noted.keys()],
    rows.map(({ firstId }) => firstId),
    rows.map(({ newestId }) => newestId),
    rows.map(({ dueAt }) => dueAt),
  ])
}

const RECORD_LATE_MENTIONS = `
  insert into late_mentions (organization_id, user_id, message_id, position, mentioned_at)
  select $1, unnest($2::bigint[]), $3, $4, $5
  on conflict (organization_id, user_id, message_id) do update
  set position = excluded.position, mentioned_at = excluded.mentioned_at`

export async function recordLateMentions(
  tx: Tx,
  userIds: readonly number[],
  { messageId, position }: { readonly messageId: number; readonly position: number },
): Promise<void> {
  await tx.db.rows('note_late_mentions', RECORD_LATE_MENTIONS, [
    tx.organizationId,
    userIds,
    messageId,
    position,
    tx.now,
  ])
}

export async function deleteLateMentions(tx: Tx, { userId, newestId }: MissedRange): Promise<void> {
  await tx.db
    .deleteFrom('late_mentions')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .where('position', '<=', newestId)
    .execute()
}

const DELETE_MISSED_RECORD = `
  delete from missed_messages where organization_id = $1 and user_id = $2 and first_id = $3 and newest_id = $4
  returning 1`

/** Returns false if more messages or another process changed the record in the meantime. */
export async function deleteMissedRecord(tx: Tx, { userId, firstId, newestId }: MissedRange): Promise<boolean> {
  const forgotten = await tx.db.rows('forget_missed_messages', DELETE_MISSED_RECORD, [
    tx.organizationId,
    userId,
    firstId,
    newestId,
  ])
  return forgotten.length > 0
}

export async function postponeMissedRecord(
  tx: Tx,
  { userId, newestId }: MissedRange,
  { firstId, dueAt }: { readonly firstId: number; readonly dueAt: number },
): Promise<void> {
  await recordMissedMessages(tx, new Map([[userId, { firstId, newestId, dueAt }]]))
}

export async function deleteMissedRecordsOf(tx: Tx, userId: number): Promise<void> {
  for (const table of ['missed_messages', 'late_mentions'] as const) {
    await tx.db
      .deleteFrom(table)
      .where('organization_id', '=', tx.organizationId)
      .where('user_id', '=', userId)
      .execute()
  }
}
