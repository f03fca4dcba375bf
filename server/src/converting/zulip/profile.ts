import { plainJson } from '../../platform/moving/plain-json.ts'
import { FIELD_TYPE } from '../../capabilities/users/contract/profile.ts'
import type { Conversion } from '../convert.ts'
import type { Account } from '../new-account.ts'
import { zulipProfileField, zulipProfileValue, type ZulipTables } from './records.ts'
import { rowsOf } from './rows.ts'

/** Types have the same numbers here. The import of the archive rejects unsupported ones. */
export async function readProfiles(
  tables: ZulipTables,
  accounts: ReadonlyMap<number, Account>,
  { organization, leftOut }: Pick<Conversion, 'organization' | 'leftOut'>,
): Promise<void> {
  const fields = rowsOf('zerver_customprofilefield', tables.zerver_customprofilefield, zulipProfileField, leftOut)
  const known = new Map<number, { readonly id: number; readonly type: number }>()
  for (const [index, field] of fields.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)).entries()) {
    const id = organization.next()
    known.set(field.id, { id, type: field.field_type })
    await organization.addRecord('custom_profile_fields', {
      id,
      type: field.field_type,
      display_order: index + 1,
      name: field.name,
      hint: field.hint ?? '',
      field_data: field.field_data ?? '',
      display_in_profile_summary: field.display_in_profile_summary === true,
      required: field.required === true,
      editable_by_user: field.editable_by_user !== false,
    })
  }
  const values = tables.zerver_customprofilefieldvalue
  for (const said of rowsOf('zerver_customprofilefieldvalue', values, zulipProfileValue, leftOut)) {
    const [account, field] = [accounts.get(said.user_profile), known.get(said.field)]
    if (account === undefined || field === undefined) continue
    const value = field.type === FIELD_TYPE.users ? people(said.value, accounts) : said.value
    const html = said.rendered_value
    account.profile.set(field.id, html === undefined ? { value } : { value, rendered_value: html })
  }
}

function people(value: string, accounts: ReadonlyMap<number, Account>): string {
  let ids: unknown
  try {
    ids = plainJson(value)
  } catch {
    return value
  }
  return Array.isArray(ids) ? JSON.stringify(ids.flatMap((id) => accounts.get(Number(id))?.id ?? [])) : value
}
