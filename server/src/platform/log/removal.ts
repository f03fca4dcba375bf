import type pg from 'pg'

/*
 * The end of an organization for good. What belongs to it is everything that names it, whatever capability that is of.
 */

/** Rows that one statement deletes, with what refers to them. */
const ROWS_AT_ONCE = 5_000

/** Stands before the id of an organization that is being removed, in place of its subdomain; no subdomain begins with it. */
const REMOVED = '!'

const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
  where c.relkind in ('r', 'p') and n.nspname = current_schema()
  order by c.relname = 'organization_settings', c.relname`

/** Takes an organization's subdomain away, with which nobody finds it any more, and which another one may have. */
export async function releaseSubdomain(pool: pg.Pool, organizationId: number): Promise<void> {
  await pool.query('update organizations set string_id = $2 where id = $1', [
    organizationId,
    `${REMOVED}${organizationId}`,
  ])
}

/** The organizations whose removal has begun and not ended. */
export async function removalsLeft(pool: pg.Pool): Promise<readonly number[]> {
  const { rows } = await pool.query<{ id: number }>('select id from organizations where starts_with(string_id, $1)', [
    REMOVED,
  ])
  return rows.map(({ id }) => id)
}

/** Those of some organizations that are there and are not being removed. */
export async function thoseThere(pool: pg.Pool, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await pool.query<{ id: number }>(
    'select id from organizations where id = any($1::bigint[]) and not starts_with(string_id, $2)',
    [ids, REMOVED],
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Deletes all that the database has of an organization that has ended. It may be cut off at any moment, and be done again.
 * @param progress hears how many rows are gone
 */
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
  // Nothing is written any more that names it. What came in between refers to no row of it.
  await empty()
}
