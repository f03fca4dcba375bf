import type { Kysely } from 'kysely'
import type { Tables } from '../../../kernel/tables.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import type { Output } from '../../../kernel/endpoint.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import type { CustomProfileField } from '../contract/index.ts'
import type * as contract from '../contract/index.ts'
import { EXTERNAL_ACCOUNTS, FIELD_TYPES } from '../contract/index.ts'

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

export async function getCustomProfileFields({
  db,
  organizationId,
}: Reader): Promise<Output<typeof contract.getCustomProfileFields>> {
  return {
    custom_fields: await db.rows<CustomProfileField>(
      'custom_profile_fields',
      `select id, type, display_order as "order", name, hint, field_data, display_in_profile_summary, required,
              editable_by_user
       from custom_profile_fields where organization_id = $1 order by display_order, id`,
      [organizationId],
    ),
  }
}

export async function profileFieldsSnapshot(
  db: Kysely<Tables>,
  { organization }: Viewer,
): Promise<Record<string, unknown>> {
  return {
    custom_profile_fields: await profileFieldsOf(db, organization.id),
    custom_profile_field_types: FIELD_TYPES,
  }
}

export function externalAccountsSnapshot(): Record<string, unknown> {
  return { realm_default_external_accounts: EXTERNAL_ACCOUNTS }
}
