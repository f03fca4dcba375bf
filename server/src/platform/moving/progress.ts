import { createHash } from 'node:crypto'
import type { Connection, Database } from '../db/database.ts'
import type { Db, TransactionDb } from '../../kernel/transaction.ts'
import { addOrganization, nameOrganization } from '../log/organization-rows.ts'
import { ImportRefusedError } from '../backup/reporting.ts'
import type { ReportEntry } from './manifest.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    imports: {
      organization_id: number
      archive_digest: string
      string_id: string
      begun_at: number
      completed_at: number | null
      progress: JsonWithDefault<Record<string, number>>
      left_out: JsonWithDefault<readonly { what: string; count: number; examples: string[] }[]>
    }
    /** Maps an archive's topic IDs to this server's, because topic IDs are private to a server. */
    imported_topics: { organization_id: number; old_id: number; new_id: number }
  }
}

/** Prefix of the name that replaces the subdomain during an import. It is invalid in subdomains. */
const IMPORTING_PREFIX = '?'
/** Enough characters of a digest to distinguish archives. */
const DIGEST_CHARACTERS = 16
export const IMPORT_LOCK_ID = 0x6d6f7665

export interface StartedImport {
  readonly organizationId: number
  readonly progress: Record<string, number>
  readonly leftOut: readonly ReportEntry[]
}

/** Returns a name that depends on the subdomain, because an archive can be imported at several subdomains. */
function temporaryImportName(digest: string, stringId: string): string {
  const name = createHash('sha256').update(`${digest} ${stringId}`).digest('hex')
  return `${IMPORTING_PREFIX}${name.slice(0, DIGEST_CHARACTERS)}`
}

/** Locks an import against other processes. Returns a function that releases the lock. */
export async function lockImport(database: Database, stringId: string): Promise<() => Promise<void>> {
  const connection: Connection = await database.connection()
  const [row] = await connection.rows<{ held: boolean }>(
    '',
    'select pg_try_advisory_lock($1::int, hashtext($2)) as held',
    [IMPORT_LOCK_ID, stringId],
  )
  if (row?.held === true) return async () => unlockImport(connection, stringId)
  connection.release(true)
  throw new ImportRefusedError('Another process is importing this organization.')
}

async function unlockImport(connection: Connection, stringId: string): Promise<void> {
  try {
    await connection.rows('', 'select pg_advisory_unlock($1::int, hashtext($2))', [IMPORT_LOCK_ID, stringId])
    connection.release(true)
  } catch {
    connection.release(false)
  }
}

/** @throws ImportRefusedError if the subdomain is taken */
export async function requireFreeSubdomain(db: Db, stringId: string): Promise<void> {
  const [taken] = await db.rows<{ id: number }>('', 'select id from organizations where string_id = $1', [stringId])
  if (taken !== undefined) {
    throw new ImportRefusedError(
      stringId === ''
        ? 'An organization without a subdomain already exists. Choose a subdomain with --organization.'
        : `The subdomain '${stringId}' is taken.`,
    )
  }
}

/** @throws ImportRefusedError if the subdomain is taken or belongs to an unfinished import of another archive */
export async function beginImport(db: TransactionDb, digest: string, stringId: string): Promise<StartedImport> {
  await requireFreeSubdomain(db, stringId)
  const [begun] = await db.rows<StartedImport & { digest: string; name: string }>(
    '',
    `select i.organization_id as "organizationId", i.progress, i.left_out as "leftOut", i.archive_digest as digest,
       o.string_id as name
     from imports i join organizations o on o.id = i.organization_id where i.string_id = $1 and i.completed_at is null`,
    [stringId],
  )
  if (begun !== undefined && begun.digest !== digest) {
    throw new ImportRefusedError(
      `The import of another archive into this organization is incomplete. Continue that import, or delete it: ` +
        `parley organization delete --organization '${begun.name}'`,
    )
  }
  return begun ?? createImport(db, digest, stringId)
}

async function createImport(db: TransactionDb, digest: string, stringId: string): Promise<StartedImport> {
  const organizationId = await addOrganization(db, temporaryImportName(digest, stringId))
  await db.rows(
    '',
    `insert into imports (organization_id, archive_digest, string_id, begun_at)
     values ($1, $2, $3, extract(epoch from now())::bigint)`,
    [organizationId, digest, stringId],
  )
  return { organizationId, progress: {}, leftOut: [] }
}

export async function recordProgress(
  db: TransactionDb,
  import_: StartedImport,
  leftOut: readonly ReportEntry[],
): Promise<void> {
  await db.rows('', 'update imports set progress = $2::jsonb, left_out = $3::jsonb where organization_id = $1', [
    import_.organizationId,
    JSON.stringify(import_.progress),
    JSON.stringify(leftOut),
  ])
}

export async function completeImport(
  db: TransactionDb,
  { organizationId }: StartedImport,
  stringId: string,
): Promise<void> {
  await db.rows(
    '',
    "update imports set completed_at = extract(epoch from now())::bigint, progress = '{}' where organization_id = $1",
    [organizationId],
  )
  await nameOrganization(db, organizationId, stringId)
}

export interface UnfinishedImport {
  readonly organizationId: number
  readonly name: string
  readonly stringId: string
  readonly begunAt: number
}

export async function findUnfinishedImports(db: Pick<TransactionDb, 'rows'>): Promise<UnfinishedImport[]> {
  return db.rows(
    'open_imports',
    `select i.organization_id as "organizationId", o.string_id as name, i.string_id as "stringId", i.begun_at as "begunAt"
     from imports i join organizations o on o.id = i.organization_id where i.completed_at is null order by o.string_id`,
    [],
  )
}
