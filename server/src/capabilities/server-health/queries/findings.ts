import type { Db } from '../../../kernel/transaction.ts'
import type { FileStore } from '../../../platform/files/store.ts'
import { StoreAway } from '../../../platform/files/store-errors.ts'
import { takingTurns } from '../../../platform/files/turns.ts'
import { ok, wrong, type Finding } from '../../../kernel/finding.ts'
import { keyOf } from '../../uploads/queries.ts'

/** What is done at its time is a second late, and what failed is tried again at another time. */
const LATE_SECONDS = 600
/** An archive of a large organization takes hours. */
const LATE_EXPORT_SECONDS = 86_400
/** The latest files of an organization of which it is looked whether they are there; and of all together. */
const FILES = 500
const MOST_FILES = 5_000
/** A store that is another machine takes its time for each. */
const FILES_AT_ONCE = 16

/** Each part looks at what is due, which is little while all is well. */
const LATE = `
  select 'e-mails' as what, count(*)::int as count from outgoing_mails
  where attempt_at <= $2 and ($1::bigint is null or organization_id = $1)
  union all
  select 'data exports', count(*)::int from data_exports
  where completed_at is null and failed_at is null and begun_at <= $3 and ($1::bigint is null or organization_id = $1)
  union all
  select 'reminders', count(*)::int from reminders
  where not failed and delivery_at <= $2 and ($1::bigint is null or organization_id = $1)
  union all
  select 'scheduled messages', count(*)::int from scheduled_messages
  where not failed and delivery_at <= $2 and ($1::bigint is null or organization_id = $1)
  union all
  select 'messages to webhooks', count(*)::int from outgoing_webhook_deliveries
  where due_at <= $2 and ($1::bigint is null or organization_id = $1)`

/** Looks whether something should have been done long ago. @param organizationId null for all */
export async function lookAtWork(reads: Db, organizationId: number | null): Promise<Finding> {
  const now = Math.floor(Date.now() / 1000)
  const values = [organizationId, now - LATE_SECONDS, now - LATE_EXPORT_SECONDS]
  const rows = await reads.rows<{ what: string; count: number }>('late_work', LATE, values)
  const late = rows.filter(({ count }) => count > 0)
  if (late.length === 0) return ok('work')
  const total = late.reduce((sum, { count }) => sum + count, 0)
  return wrong('work', 'work_late', total, late.map(({ what, count }) => `${count} ${what}`).join(', '))
}

const LATEST = `
  select path_id as "pathId", size from organizations o cross join lateral (
    select path_id, size from attachments where organization_id = o.id order by id desc limit ${FILES}) latest
  where $1::bigint is null or o.id = $1 limit ${MOST_FILES}`

/**
 * Looks whether the latest files are there as they were uploaded.
 * @param organizationId null for all
 * @returns undefined where the store is away, which the look at the server says
 */
export async function lookAtFiles(
  reads: Db,
  files: Pick<FileStore, 'size'>,
  organizationId: number | null,
): Promise<Finding | undefined> {
  const rows = await reads.rows<{ pathId: string; size: number }>('latest_files', LATEST, [organizationId])
  const inTurn = takingTurns(FILES_AT_ONCE, MOST_FILES, () => {
    throw new Error('more files than were asked for')
  })
  const asked = Promise.all(rows.map(async ({ pathId }) => inTurn(async () => files.size(keyOf(pathId)))))
  const sizes = await asked.catch((error: unknown) => {
    if (error instanceof StoreAway) return undefined
    throw error
  })
  if (sizes === undefined) return undefined
  const missing = rows.filter(({ size }, index) => sizes[index] !== size).map(({ pathId }) => keyOf(pathId))
  const [first] = missing
  if (first !== undefined) return wrong('files', 'files_missing', missing.length, first)
  return ok('files', `${rows.length} of the latest are there`)
}
