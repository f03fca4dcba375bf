import type pg from 'pg'

/* Removes an organization: deletes the rows of every table with an `organization_id` column. */

const ROWS_AT_ONCE = 5_000

/** Replaces the subdomain during removal. Invalid as a subdomain, so no request can match. */
const REMOVED = '!'

const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
  where c.relkind in ('r', 'p') and n.nspname = current_schema()
  order by c.relname = 'organization_settings', c.relname`

export async function releaseSubdomain(pool: pg.Pool, organizationId: number): Promise<void> {
  await pool.query('update organizations set string_id = $2 where id = $1', [
    organizationId,
    `${REMOVED}${organizationId}`,
  ])
}

export async function removalsLeft(pool: pg.Pool): Promise<readonly number[]> {
  const { rows } = await pool.query<{ id: number }>('select id from organizations where starts_with(string_id, $1)', [
    REMOVED,
  ])
  return rows.map(({ id }) => id)
}

export async function thoseThere(pool: pg.Pool, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await pool.query<{ id: number }>(
    'select id from organizations where id = any($1::bigint[]) and not starts_with(string_id, $2)',
    [ids, REMOVED],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Deletes in batches; can be interrupted and repeated. @param progress called with the number of deleted rows */
export async function removeRows(
  pool: pg.Pool,
  organizationId: number,
  progress: (rows: number) => void = () => undefined,
): Promise<void> {
  const { rows: tables } = await pool.query<{ name: string }>(TABLES)
  let gone = 0
  const empty = async (): Promise<void> => {
    for (const { name } of tables) {
      for (let left = true; left;) {
        const { rowCount } = await pool.query(
          `delete from ${name} where ctid = any(array(select ctid from ${name} where organization_id = $1 limit $2))`,
          [organizationId, ROWS_AT_ONCE],
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
