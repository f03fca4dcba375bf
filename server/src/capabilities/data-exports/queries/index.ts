import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Db, Reader } from '../../../kernel/transaction.ts'
import type { FileCall, FoundFile } from '../../../platform/files/serve.ts'
import type { DueJob } from '../../../platform/jobs/pieces.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import type { Member } from '../../groups/rules.ts'
import { organizationOf } from '../../organizations/queries/index.ts'
import { nonSystemUsers, userSetting, type UserRow } from '../../users/queries/index.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import type { DataExport } from '../contract.ts'

export interface StoredExport {
  readonly id: number
  readonly actingUserId: number
  readonly exportType: number
  readonly begunAt: number
  readonly name: string
  readonly completedAt: number | null
  readonly failedAt: number | null
  readonly deletedAt: number | null
  readonly leasedUntil: number
  readonly attempts: number
}

const ALL_EXPORTS = `
  select id, acting_user_id as "actingUserId", export_type as "exportType", begun_at as "begunAt", name,
    completed_at as "completedAt", failed_at as "failedAt", deleted_at as "deletedAt", leased_until as "leasedUntil",
    attempts
  from data_exports where organization_id = $1 order by id`

export async function exportsOf(db: Db, organizationId: number): Promise<StoredExport[]> {
  return db.rows('data_exports', ALL_EXPORTS, [organizationId])
}

export function isExportPending({ completedAt, failedAt }: Pick<StoredExport, 'completedAt' | 'failedAt'>): boolean {
  return completedAt === null && failedAt === null
}

/** `url`: URL of the organization, without a trailing slash. */
export function presentExport(stored: StoredExport, url: string): DataExport {
  const isThere = stored.completedAt !== null && stored.deletedAt === null
  return {
    id: stored.id,
    acting_user_id: stored.actingUserId,
    export_time: stored.begunAt,
    deleted_timestamp: stored.deletedAt,
    failed_timestamp: stored.failedAt,
    export_url: isThere ? `${url}/exports/${stored.name}.tar.gz` : null,
    pending: isExportPending(stored),
    export_type: stored.exportType,
  }
}

/** Each attempt has its own key, because two processes can overlap despite the lease. */
export function archiveKey(
  organizationId: number,
  { name, attempts }: Pick<StoredExport, 'name' | 'attempts'>,
): string {
  return `exports/${organizationId}/${name}-${attempts}`
}

/** @throws ApiError BAD_REQUEST unless the actor is an administrator */
export function requireAdministrator(actor: Member): void {
  if (!isAdministrator(actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
}

export async function getDataExports(
  { organization, actor, db }: Reader,
  _input: Input<typeof contract.getDataExports>,
  server: ServerFacts,
): Promise<Output<typeof contract.getDataExports>> {
  requireAdministrator(actor)
  const url = server.urlOf(organization)
  const exports = await exportsOf(db, organization.id)
  return { exports: exports.map((stored) => presentExport(stored, url)) }
}

export function getExportConsents({ organization, actor }: Reader): Output<typeof contract.getExportConsents> {
  requireAdministrator(actor)
  const people = nonSystemUsers(organization).filter(({ isActive, botType }) => isActive && botType === null)
  return { export_consents: people.map((user) => ({ user_id: user.id, consented: consentsToExport(user) })) }
}

export function consentsToExport(user: UserRow): boolean {
  return userSetting(user, 'allow_private_data_export')
}

export async function exportArchive({ log, reads, actor, parameters }: FileCall): Promise<FoundFile | undefined> {
  if (actor === undefined || !isAdministrator(actor)) return undefined
  const { id } = log.organization
  const { stringId } = organizationOf(log.organization)
  const found = (await exportsOf(reads, id)).find(({ name }) => name === parameters['name'])
  if (found === undefined || found.completedAt === null || found.deletedAt !== null) return undefined
  const day = new Date(found.begunAt * 1000).toISOString().slice(0, 10)
  const name = `${stringId === '' ? 'organization' : stringId}-${day}.tar.gz`
  return { key: archiveKey(id, found), type: 'application/gzip', name, inline: false, keep: 'ask' }
}

const DUE_EXPORT = `
  select e.organization_id as "organizationId", e.id from data_exports e
  join organization_settings o on o.organization_id = e.organization_id and not o.deactivated
  where e.completed_at is null and e.failed_at is null and e.leased_until < $1 order by e.leased_until limit 1`

/** Returns at most one export, because creating an archive takes a long time. */
export async function dueExports(db: Db, now: number): Promise<DueJob[]> {
  return db.rows('due_exports', DUE_EXPORT, [now])
}
