import type { Kysely } from 'kysely'
import type { Tables } from '../../../kernel/tables.ts'
import type { Db } from '../../../kernel/transaction.ts'
import type { CustomProfileField } from '../contract/index.ts'

/** In the order in which they are shown. */
export async function profileFieldsOf(db: Kysely<Tables>, organizationId: number): Promise<CustomProfileField[]> {
  const rows = await db
    .selectFrom('custom_profile_fields')
    .select(['id', 'type', 'display_order as order', 'name', 'hint', 'field_data'])
    .select(['display_in_profile_summary', 'required', 'editable_by_user'])
    .where('organization_id', '=', organizationId)
    .orderBy('display_order')
    .orderBy('id')
    .execute()
  // Written only by this capability's actions, which check the type.
  return rows as CustomProfileField[]
}

/** Reads the organization's profile fields outside a transaction. */
export async function readProfileFields(db: Db, organizationId: number): Promise<CustomProfileField[]> {
  return db.rows(
    'custom_profile_fields',
    `select id, type, display_order as "order", name, hint, field_data, display_in_profile_summary, required,
            editable_by_user
     from custom_profile_fields where organization_id = $1 order by display_order, id`,
    [organizationId],
  )
}
