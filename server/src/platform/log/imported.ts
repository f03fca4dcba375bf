import type { TransactionDb } from '../../kernel/transaction.ts'
import { FOLD_ONLY } from './row.ts'

export async function addOrganization(db: TransactionDb, stringId: string): Promise<number> {
  const text = 'insert into organizations (string_id) values ($1) returning id'
  const [added] = await db.rows<{ id: number }>('', text, [stringId])
  if (added === undefined) throw new Error('an organization was not added')
  return added.id
}

/** Makes an imported organization reachable. */
export async function nameOrganization(db: TransactionDb, organizationId: number, stringId: string): Promise<void> {
  await db.rows('', 'update organizations set string_id = $2 where id = $1', [organizationId, stringId])
}

/** Starts the log at a position above all imported IDs. */
export async function beginLogAt(db: TransactionDb, organizationId: number, position: number): Promise<void> {
  // Other processes and readers expect the log to have an event at its position.
  await db.rows(
    '',
    `with moved as (update organizations set position = greatest(position, $2::bigint) where id = $1 returning id, position)
     insert into events (organization_id, position, type, audience, payload, recorded_at)
     select id, position, '${FOLD_ONLY}', '{}', '{}', extract(epoch from now())::bigint from moved`,
    [organizationId, position],
  )
}
