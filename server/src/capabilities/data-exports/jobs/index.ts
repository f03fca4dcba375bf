import type { Tx } from '../../../kernel/transaction.ts'
import { storeArchive } from '../../../platform/files/archive.ts'
import { removeFiles } from '../../../platform/files/pending.ts'
import { repeatEvery } from '../../../platform/jobs/every.ts'
import type { Job, JobContext } from '../../../platform/jobs/jobs.ts'
import { emitExports } from '../actions.ts'
import { archiveKey, dueExports, exportsOf, isPending, type StoredExport } from '../queries/index.ts'
import { archiveEntries } from './contents.ts'

const POLL_SECONDS = 2
/** If a process does not renew its lease for this long, another process takes over. */
const LEASE_SECONDS = 60
const RENEW_LEASE_EVERY_MILLISECONDS = 15_000
const MAX_ATTEMPTS = 3

export const makeArchives: Job = {
  name: 'makeArchives',
  everySeconds: POLL_SECONDS,
  due: dueExports,
  async run(context, id) {
    const { log, server, closing } = context
    const leased = await log.write((tx) => claimExport(tx, context, id))
    if (leased === undefined) return
    await removeFiles(context, earlierArchiveKeys(log.organization.id, leased))
    if (leased.failedAt !== null) return
    const key = archiveKey(log.organization.id, leased)
    const lost = new AbortController()
    const signal = AbortSignal.any([closing, lost.signal])
    const renewal = repeatEvery(
      RENEW_LEASE_EVERY_MILLISECONDS,
      async () => {
        if (!(await renewLease(context, leased))) lost.abort()
      },
      server.report,
    )
    try {
      const entries = archiveEntries({ ...context, organization: log.organization }, leased)
      await storeArchive(server.files, key, entries, { modifiedAt: leased.begunAt, signal })
      const isOurs = await log.write((tx) => completeExport(tx, context, leased))
      if (!isOurs) await removeFiles(context, [key])
    } catch (error) {
      // Allows the next attempt immediately. An attempt aborted by a shutdown does not count.
      await log.write((tx) => releaseLease(tx, leased, closing.aborted)).catch(server.report)
      if (!signal.aborted) throw error
    } finally {
      await renewal.close()
    }
  },
}

function earlierArchiveKeys(organizationId: number, { name, attempts }: StoredExport): string[] {
  return Array.from({ length: attempts - 1 }, (_, index) => archiveKey(organizationId, { name, attempts: index + 1 }))
}

/** Claims the export, or marks it as failed after too many attempts. */
async function claimExport(tx: Tx, { server }: JobContext, id: number): Promise<StoredExport | undefined> {
  const stored = (await exportsOf(tx.db, tx.organizationId)).find((one) => one.id === id)
  if (stored === undefined || !isPending(stored) || stored.leasedUntil >= tx.now) return undefined
  const isOver = stored.attempts >= MAX_ATTEMPTS
  const attempts = stored.attempts + 1
  await tx.db
    .updateTable('data_exports')
    .set(isOver ? { failed_at: tx.now } : { leased_until: tx.now + LEASE_SECONDS, attempts })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .execute()
  if (isOver) await emitExports(tx, server)
  return { ...stored, attempts, failedAt: isOver ? tx.now : null }
}

/** Returns false if another process took over. */
async function renewLease({ log, reads }: JobContext, { id, attempts }: StoredExport): Promise<boolean> {
  const rows = await reads.rows(
    'renew_export',
    `update data_exports set leased_until = $4
     where organization_id = $1 and id = $2 and attempts = $3 and completed_at is null and failed_at is null returning 1`,
    [log.organization.id, id, attempts, Math.floor(Date.now() / 1000) + LEASE_SECONDS],
  )
  return rows.length > 0
}

async function completeExport(tx: Tx, { server }: JobContext, { id, attempts }: StoredExport): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('data_exports')
    .set({ completed_at: tx.now })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('completed_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await emitExports(tx, server)
  return true
}

async function releaseLease(tx: Tx, { id, attempts }: StoredExport, countsForNone: boolean): Promise<void> {
  await tx.db
    .updateTable('data_exports')
    .set({ leased_until: 0, ...(countsForNone ? { attempts: attempts - 1 } : {}) })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
}
