/* Creates many organizations in one database as copies of an organization made through the API. */
import { connectToDatabase } from '../parts/product.js'

/** Number of organizations for which one statement copies the rows of a table. */
const COPIES_AT_ONCE = 1_000

/** Tables with an `organization_id`, and their columns, except for generated columns. */
const TABLES = `
  select format('%I', c.relname) as name, string_agg(format('%I', a.attname), ', ') as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by c.oid having bool_or(a.attname = 'organization_id') order by 1`

/** @param {number} index starts at 1 */
export function subdomainOf(index) {
  return `team${index}`
}

/**
 * Copies the only organization of a database. IDs within an organization, keys, and passwords stay the same.
 * @param {string} data directory of a running product @param {number} count
 */
export async function copyOrganization(data, count) {
  const client = await connectToDatabase(data)
  try {
    // Disables foreign keys, because tables are copied in any order.
    await client.query('set session_replication_role = replica')
    /** @type {{ rows: { id: string }[] }} */
    const { rows: copies } = await client.query(
      `insert into organizations overriding system value select copy.* from organizations o cross join generate_series(1, $1::int) n,
         jsonb_populate_record(null::organizations, to_jsonb(o) || jsonb_build_object('string_id', 'team' || n, 'id',
           nextval(pg_get_serial_sequence('organizations', 'id')))) copy
       returning id`,
      [count],
    )
    /** @type {{ rows: { name: string, columns: string }[] }} */
    const { rows: tables } = await client.query(TABLES)
    for (const { name, columns } of tables) {
      for (let from = 0; from < copies.length; from += COPIES_AT_ONCE) {
        const ids = copies.slice(from, from + COPIES_AT_ONCE).map(({ id }) => id)
        await client.query(
          `insert into ${name} (${columns}) overriding system value
           select ${columns.replaceAll(/[^, ]+/g, 'copy.$&')} from ${name} r cross join unnest($1::bigint[]) as n(id),
             jsonb_populate_record(null::${name}, to_jsonb(r) || jsonb_build_object('organization_id', n.id)) copy
           where r.organization_id = (select min(id) from organizations)`,
          [ids],
        )
      }
    }
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
