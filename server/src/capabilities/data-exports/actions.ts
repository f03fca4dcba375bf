import { ROLE } from '../../kernel/actor.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import type { FileChange } from '../../platform/files/pending.ts'
import { randomName } from '../../platform/files/store.ts'
import type { ServerFacts } from '../../platform/server-facts.ts'
import { requireRecentConfirmation } from '../authentication/actions/owner.ts'
import type * as contract from './contract.ts'
import {
  ARCHIVE_LIMIT,
  dataExportsChanged,
  exportConsentChanged,
  EXPORT_LIMIT,
  EXPORT_PERIOD_SECONDS,
  PAST_EXPORT_LIMIT,
} from './contract.ts'
import {
  archiveKey,
  exportsOf,
  isExportPending,
  presentExport,
  requireAdministrator,
  type StoredExport,
} from './queries/index.ts'

export async function createDataExport(
  tx: ActorTx,
  { export_type }: Input<typeof contract.createDataExport>,
  server: ServerFacts,
): Promise<Output<typeof contract.createDataExport>> {
  requireAdministrator(tx.actor)
  await requireRecentConfirmation(tx)
  const exports = await exportsOf(tx.db, tx.organizationId)
  const lately = exports.filter(({ begunAt }) => begunAt > tx.now - EXPORT_PERIOD_SECONDS)
  if (lately.length >= EXPORT_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `You can start at most ${EXPORT_LIMIT.most} exports per week.`)
  }
  if (exports.filter((one) => !isDeletedOrFailed(one)).length >= ARCHIVE_LIMIT.most) {
    throw new ApiError(
      'BAD_REQUEST',
      `An organization can have at most ${ARCHIVE_LIMIT.most} exports. Delete one first.`,
    )
  }
  await deleteOldestExports(tx, exports)
  const id = tx.nextId()
  await tx.db
    .insertInto('data_exports')
    .values({
      organization_id: tx.organizationId,
      id,
      acting_user_id: tx.actor.userId,
      export_type,
      begun_at: tx.now,
      name: randomName(),
    })
    .execute()
  await emitDataExports(tx, server)
  return { id }
}

export async function deleteDataExport(
  tx: ActorTx,
  { export_id }: Input<typeof contract.deleteDataExport>,
  server: ServerFacts,
): Promise<FileChange<Record<string, never>>> {
  requireAdministrator(tx.actor)
  const found = (await exportsOf(tx.db, tx.organizationId)).find(({ id }) => id === export_id)
  if (found === undefined) throw new ApiError('BAD_REQUEST', 'Invalid data export ID')
  requireDeletableExport(found)
  await tx.db
    .updateTable('data_exports')
    .set({ deleted_at: tx.now })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', found.id)
    .execute()
  await emitDataExports(tx, server)
  return { answer: {}, unused: [archiveKey(tx.organizationId, found)] }
}

function requireDeletableExport(stored: StoredExport): void {
  if (stored.deletedAt !== null) throw new ApiError('BAD_REQUEST', 'Export already deleted')
  if (stored.failedAt !== null) throw new ApiError('BAD_REQUEST', 'Export failed, nothing to delete')
  if (isExportPending(stored)) throw new ApiError('BAD_REQUEST', 'Export still in progress')
}

function isDeletedOrFailed({ deletedAt, failedAt }: StoredExport): boolean {
  return deletedAt !== null || failedAt !== null
}

async function deleteOldestExports(tx: Tx, exports: readonly StoredExport[]): Promise<void> {
  const past = exports.filter(isDeletedOrFailed).map(({ id }) => id)
  const surplus = past.slice(0, Math.max(past.length - PAST_EXPORT_LIMIT.most, 0))
  if (surplus.length === 0) return
  await tx.db
    .deleteFrom('data_exports')
    .where('organization_id', '=', tx.organizationId)
    .where('id', 'in', surplus)
    .execute()
}

export async function emitDataExports(tx: Tx, server: Pick<ServerFacts, 'urlOf'>): Promise<void> {
  const url = server.urlOf(tx.organization)
  const exports = (await exportsOf(tx.db, tx.organizationId)).map((stored) => presentExport(stored, url))
  tx.emit(dataExportsChanged, { exports }, { roleAtMost: ROLE.administrator })
}

export function emitExportConsent(tx: Tx, userId: number, consented: boolean): void {
  tx.emit(exportConsentChanged, { user_id: userId, consented }, { roleAtMost: ROLE.administrator })
}
