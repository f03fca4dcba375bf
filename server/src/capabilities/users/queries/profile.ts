import type { Db, Reader } from '../../../kernel/transaction.ts'
import type { Output } from '../../../kernel/endpoint.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import type { CustomProfileField } from '../contract/index.ts'
import type * as contract from '../contract/index.ts'
import { EXTERNAL_ACCOUNTS, FIELD_TYPES } from '../contract/index.ts'

const PROFILE_FIELDS = `
  select id, type, display_order as "order", name, hint, field_data, display_in_profile_summary, required,
         editable_by_user
  from custom_profile_fields where organization_id = $1 order by display_order, id`

export async function profileFieldsOf(db: Db, organizationId: number): Promise<CustomProfileField[]> {
  return db.rows('custom_profile_fields', PROFILE_FIELDS, [organizationId])
}

export async function getCustomProfileFields({
  db,
  organizationId,
}: Reader): Promise<Output<typeof contract.getCustomProfileFields>> {
  return { custom_fields: await profileFieldsOf(db, organizationId) }
}

export async function profileFieldsSnapshot(db: Db, { organization }: Viewer): Promise<Record<string, unknown>> {
  return {
    custom_profile_fields: await profileFieldsOf(db, organization.id),
    custom_profile_field_types: FIELD_TYPES,
  }
}

export function externalAccountsSnapshot(): Record<string, unknown> {
  return { realm_default_external_accounts: EXTERNAL_ACCOUNTS }
}
