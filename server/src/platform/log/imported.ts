import type { TransactionDb } from '../../kernel/transaction.ts'
import { FOLD_ONLY } from './row.ts'

/** Adds an organization that has no log yet. */
export async function addOrganization(db: TransactionDb, stringId: string): Promise<number> {
  const text = 'insert into organizations (string_id) values ($1) returning id'
  const [added] = await db.rows<{ id: number }>('', text, [stringId])
  if (added === undefined) throw new Error('an organization was not added')
  return added.id
}

/** Lets an organization that has come from elsewhere be found. */
export async function nameOrganization(db: TransactionDb, organizationId: number, stringId: string): Promise<void> {
  await db.rows('', 'update organizations set string_id = $2 where id = $1', [organizationId, stringId])
}

/** Begins the log of an organization that has come from elsewhere, at a position above all ids that it has. */
export async function beginLogAt(db: TransactionDb, organizationId: number, position: number): Promise<void> {
  // The empty event is what other processes and readers of the log find there.
  await db.rows(
    '',
    `with moved as (update organizations set position = greatest(position, $2::bigint) where id = $1 returning id, position)
     insert into events (organization_id, position, type, audience, payload, recorded_at)
     select id, position, '${FOLD_ONLY}', '{}', '{}', extract(epoch from now())::bigint from moved`,
    [organizationId, position],
  )
}
