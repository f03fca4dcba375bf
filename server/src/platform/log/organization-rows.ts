import type pg from 'pg'
import type { TransactionDb } from '../../kernel/transaction.ts'
import type { SoundnessCheck } from '../backup/verify.ts'
import { PROJECTION_EVENT_TYPE } from './row.ts'

/* Deletes an organization's rows from every table that has an `organization_id` column. */

const ROWS_PER_STATEMENT = 5_000

/** Prefix of a removed organization's subdomain. It is invalid in subdomains, so no request can match. */
const REMOVED_SUBDOMAIN_PREFIX = '!'

const TABLES_SQL = `
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
  where c.relkind in ('r', 'p') and n.nspname = current_schema()
  order by c.relname = 'organization_settings', c.relname`

export async function releaseSubdomain(pool: pg.Pool, organizationId: number): Promise<void> {
  await pool.query('update organizations set string_id = $2 where id = $1', [
    organizationId,
    `${REMOVED_SUBDOMAIN_PREFIX}${organizationId}`,
  ])
}

export async function pendingRemovals(pool: pg.Pool): Promise<readonly number[]> {
  const { rows } = await pool.query<{ id: number }>('select id from organizations where starts_with(string_id, $1)', [
    REMOVED_SUBDOMAIN_PREFIX,
  ])
  return rows.map(({ id }) => id)
}

export async function existingOrganizations(pool: pg.Pool, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await pool.query<{ id: number }>(
    'select id from organizations where id = any($1::bigint[]) and not starts_with(string_id, $2)',
    [ids, REMOVED_SUBDOMAIN_PREFIX],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Deletes in batches; can be interrupted and repeated. `progress` gets the number of deleted rows. */
export async function removeRows(
  pool: pg.Pool,
  organizationId: number,
  progress: (rows: number) => void = () => undefined,
): Promise<void> {
  const { rows: tables } = await pool.query<{ name: string }>(TABLES_SQL)
  let gone = 0
  const empty = async (): Promise<void> => {
    for (const { name } of tables) {
      for (let left = true; left;) {
        const { rowCount } = await pool.query(
          `delete from ${name} where ctid = any(array(select ctid from ${name} where organization_id = $1 limit $2))`,
          [organizationId, ROWS_PER_STATEMENT],
        )
        gone += rowCount ?? 0
        left = (rowCount ?? 0) > 0
        if (left) progress(gone)
      }
    }
  }
  await empty()
  await pool.query('delete from organizations where id = $1', [organizationId])
  await empty()
}

export async function addOrganization(db: TransactionDb, stringId: string): Promise<number> {
  const text = 'insert into organizations (string_id) values ($1) returning id'
  const [added] = await db.rows<{ id: number }>('', text, [stringId])
  if (added === undefined) throw new Error('an organization was not added')
  return added.id
}

export async function nameOrganization(db: TransactionDb, organizationId: number, stringId: string): Promise<void> {
  await db.rows('', 'update organizations set string_id = $2 where id = $1', [organizationId, stringId])
}

/** Starts the log at a position above all imported IDs. */
export async function setLogStart(db: TransactionDb, organizationId: number, position: number): Promise<void> {
  // Writes an event, because other processes and readers expect one at the log's position.
  await db.rows(
    '',
    `with moved as (update organizations set position = greatest(position, $2::bigint) where id = $1 returning id, position)
     insert into events (organization_id, position, type, audience, payload, recorded_at)
     select id, position, '${PROJECTION_EVENT_TYPE}', '{}', '{}', extract(epoch from now())::bigint from moved`,
    [organizationId, position],
  )
}

export const logSoundness: readonly SoundnessCheck[] = [
  {
    fault: 'events are beyond the position of their organization',
    sql: `select count(*)::bigint as count from events e join organizations o on o.id = e.organization_id
          where e.position > o.position`,
  },
]
