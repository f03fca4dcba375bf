import { createHash } from 'node:crypto'
import type { Connection, Database } from '../db/database.ts'
import type { Db, TransactionDb } from '../../kernel/transaction.ts'
import { addOrganization, nameOrganization } from '../log/imported.ts'
import { ImportRefused } from './damage.ts'
import type { ReportEntry } from './manifest.ts'

/** Stands before what an organization is called that is being imported, in place of its subdomain; none begins with it. */
const BEGUN = '?'
/** So much of the digest of an archive is enough to tell two apart. */
const DIGEST_CHARACTERS = 16
/** The first half of an advisory lock, for this alone. */
export const IMPORT_LOCK = 0x6d6f7665

/** An import that was begun. */
export interface BegunImport {
  readonly organizationId: number
  /** How many bytes of each table are stored. */
  readonly progress: Record<string, number>
  readonly leftOut: readonly ReportEntry[]
}

/** What an organization is called while it is imported: nobody finds it. One archive may be imported into several places. */
function nameWhileImporting(digest: string, stringId: string): string {
  return `${BEGUN}${createHash('sha256').update(`${digest} ${stringId}`).digest('hex').slice(0, DIGEST_CHARACTERS)}`
}

/** Keeps other processes from importing into the same place. @returns what ends that: another one may begin at once then */
export async function lockImport(database: Database, stringId: string): Promise<() => Promise<void>> {
  const connection: Connection = await database.connection()
  const [row] = await connection.rows<{ held: boolean }>(
    '',
    'select pg_try_advisory_lock($1::int, hashtext($2)) as held',
    [IMPORT_LOCK, stringId],
  )
  if (row?.held === true) return async () => unlockImport(connection, stringId)
  connection.release(true)
  throw new ImportRefused('Another process is importing into this organization.')
}

/** A connection that is closed gives the lock up as well, but a while later. */
async function unlockImport(connection: Connection, stringId: string): Promise<void> {
  try {
    await connection.rows('', 'select pg_advisory_unlock($1::int, hashtext($2))', [IMPORT_LOCK, stringId])
    connection.release(true)
  } catch {
    // The connection is broken.
    connection.release(false)
  }
}

/** @throws ImportRefused where the subdomain is taken */
export async function requireFreeSubdomain(db: Db, stringId: string): Promise<void> {
  const [taken] = await db.rows<{ id: number }>('', 'select id from organizations where string_id = $1', [stringId])
  if (taken !== undefined) {
    throw new ImportRefused(
      stringId === ''
        ? 'There is an organization without a subdomain already: name another one with --organization.'
        : `The subdomain '${stringId}' is taken.`,
    )
  }
}

/**
 * The import of an archive, which is begun or goes on where it was cut off.
 * @throws ImportRefused where the subdomain is taken, or the import of another archive was begun there
 */
export async function beginImport(db: TransactionDb, digest: string, stringId: string): Promise<BegunImport> {
  await requireFreeSubdomain(db, stringId)
  const [begun] = await db.rows<BegunImport & { digest: string; name: string }>(
    '',
    `select i.organization_id as "organizationId", i.progress, i.left_out as "leftOut", i.archive_digest as digest,
       o.string_id as name
     from imports i join organizations o on o.id = i.organization_id where i.string_id = $1 and i.completed_at is null`,
    [stringId],
  )
  if (begun !== undefined && begun.digest !== digest) {
    throw new ImportRefused(
      `The import of another archive was begun here: go on with that one, or remove what there is of it: ` +
        `parley organization delete --organization '${begun.name}'`,
    )
  }
  return begun ?? newImport(db, digest, stringId)
}

async function newImport(db: TransactionDb, digest: string, stringId: string): Promise<BegunImport> {
  const organizationId = await addOrganization(db, nameWhileImporting(digest, stringId))
  await db.rows(
    '',
    `insert into imports (organization_id, archive_digest, string_id, begun_at)
     values ($1, $2, $3, extract(epoch from now())::bigint)`,
    [organizationId, digest, stringId],
  )
  return { organizationId, progress: {}, leftOut: [] }
}

/** Notes, in the transaction that stores a part, how far the import is. */
export async function noteProgress(
  db: TransactionDb,
  import_: BegunImport,
  leftOut: readonly ReportEntry[],
): Promise<void> {
  await db.rows('', 'update imports set progress = $2::jsonb, left_out = $3::jsonb where organization_id = $1', [
    import_.organizationId,
    JSON.stringify(import_.progress),
    JSON.stringify(leftOut),
  ])
}

/** Ends an import: the organization gets its name, and its log goes on above all ids that it has. */
export async function completeImport(
  db: TransactionDb,
  { organizationId }: BegunImport,
  stringId: string,
): Promise<void> {
  await db.rows(
    '',
    "update imports set completed_at = extract(epoch from now())::bigint, progress = '{}' where organization_id = $1",
    [organizationId],
  )
  await nameOrganization(db, organizationId, stringId)
}

/** An import that is not complete. */
export interface OpenImport {
  readonly organizationId: number
  /** What the organization is called meanwhile. */
  readonly name: string
  /** Where it will be. */
  readonly stringId: string
  /** UNIX seconds. */
  readonly begunAt: number
}

/** All imports that were begun and are not complete. */
export async function openImports(db: Pick<TransactionDb, 'rows'>): Promise<OpenImport[]> {
  return db.rows(
    'open_imports',
    `select i.organization_id as "organizationId", o.string_id as name, i.string_id as "stringId", i.begun_at as "begunAt"
     from imports i join organizations o on o.id = i.organization_id where i.completed_at is null order by o.string_id`,
    [],
  )
}
