import type pg from 'pg'
import { sql } from 'kysely'
import type { Projection } from '../../kernel/projection.ts'
import type { Db, Tx } from '../../kernel/transaction.ts'
import { unpackRows } from '../log/packing.ts'
import type { LogRow } from '../log/row.ts'
import type { ConsumedEvent } from './consumer.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    consumers: {
      organization_id: number
      name: string
      /** Position of the last handled event, updated in the transactions that handle events. */
      position: number
      /** No event up to this position needs handling. Saved periodically. */
      clear_position: number
    }
  }
}

export interface CursorChange {
  readonly name: string
  readonly position: number
  readonly outcomes: readonly (readonly [position: number, outcome: unknown])[]
}

/** Position up to which each consumer has handled events. A process that holds the lock knows which events remain. */
export const consumerCursors: Projection<Map<string, number>, CursorChange> = {
  name: 'consumerCursors',
  takesRights: () => false,
  empty: () => new Map(),
  async load(cursors, db, organizationId) {
    const rows = await sql<{ name: string; position: number }>`
      select name, position from consumers where organization_id = ${organizationId} and position > 0`.execute(db)
    for (const { name, position } of rows.rows) cursors.set(name, position)
  },
  apply(cursors, { name, position }) {
    cursors.set(name, Math.max(position, cursors.get(name) ?? 0))
  },
}

export async function moveCursor(tx: Tx, change: CursorChange): Promise<void> {
  const { name, position } = change
  await tx.db
    .insertInto('consumers')
    .values({ organization_id: tx.organizationId, name, position, clear_position: 0 })
    .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doUpdateSet({ position }))
    .execute()
  tx.change(consumerCursors, change)
}

/** Starts new consumers at the next event. In organizations created later, consumers start at the first event. */
export async function recordNewConsumers(client: pg.ClientBase, names: readonly string[]): Promise<void> {
  await client.query(
    `with new as (insert into known_consumers select unnest($1::text[]) on conflict do nothing returning name)
     insert into consumers (organization_id, name, clear_position)
     select o.id, new.name, o.position from organizations o cross join new`,
    [names],
  )
}

export async function readStoredCursor(db: Db, organizationId: number, name: string): Promise<number> {
  const [row] = await db.rows<{ position: number }>(
    'consumer_cursor',
    'select greatest(position, clear_position) as position from consumers where organization_id = $1 and name = $2',
    [organizationId, name],
  )
  return row?.position ?? 0
}

const MAX_EVENTS_PER_READ = 1_000

export async function eventsBetween(
  db: Db,
  organizationId: number,
  types: readonly string[],
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<{ readonly events: readonly ConsumedEvent[]; readonly isAll: boolean }> {
  // Safe: only the log's writers fill the jsonb columns.
  const rows = await db.rows<LogRow>(
    'events_of_consumer',
    `select position, type, ref_id as "refId", audience, payload, null as changes from events
     where organization_id = $1 and position > $3 and position <= $4 and type = any($2::text[])
     order by position limit ${MAX_EVENTS_PER_READ}`,
    [organizationId, types, after, upTo],
  )
  return { events: unpackRows(rows), isAll: rows.length < MAX_EVENTS_PER_READ }
}

/** Saves a consumer's positions, up to which logs can be pruned. Locks rows in ID order, which prevents deadlocks. */
export async function storeClearPositions(db: Db, name: string, positions: ReadonlyMap<number, number>): Promise<void> {
  await db.rows(
    'consumer_clear',
    `insert into consumers as c (organization_id, name, clear_position)
     select id, $1, position from unnest($2::bigint[], $3::bigint[]) as clear (id, position) order by id
     on conflict (organization_id, name) do update set clear_position = excluded.clear_position
     where c.clear_position < excluded.clear_position`,
    [name, [...positions.keys()], [...positions.values()]],
  )
}

export async function organizationsWithUnhandledEvents(
  db: Db,
  names: readonly string[],
  recordedBefore: number,
): Promise<readonly number[]> {
  const rows = await db.rows<{ id: number }>(
    'consumers_left',
    `select distinct o.id from organizations o cross join unnest($1::text[]) as n(name)
     left join consumers c on c.organization_id = o.id and c.name = n.name
     where (select recorded_at from events e
            where e.organization_id = o.id and e.position > greatest(c.position, c.clear_position, 0)
            order by e.position limit 1) <= $2::bigint
     order by o.id`,
    [names, recordedBefore],
  )
  return rows.map(({ id }) => id)
}
