import { sql } from 'kysely'
import { everyone } from '../../../kernel/audience.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import { writeUser } from './index.ts'
import type * as contract from '../contract/profile.ts'
import {
  customProfileFieldsChanged,
  FIELD_TYPE,
  PROFILE_FIELD_LIMIT,
  MAX_SUMMARY_FIELDS,
  type CustomProfileField,
} from '../contract/profile.ts'
import { usersProjection } from '../queries/index.ts'
import { profileFieldsOf } from '../queries/profile.ts'
import { isAdministrator } from '../rules/index.ts'
import { validateFieldData, choicesOf, knownAccount, canBeInSummary } from '../rules/profile.ts'
import { emitProfileValue } from './profile.ts'

export async function createCustomProfileField(
  tx: ActorTx,
  input: Input<typeof contract.createCustomProfileField>,
): Promise<Output<typeof contract.createCustomProfileField>> {
  requireAdministrator(tx)
  const fields = await profileFieldsOf(tx.db, tx.organizationId)
  if (fields.length >= PROFILE_FIELD_LIMIT.most) {
    throw new ApiError(
      'BAD_REQUEST',
      `An organization can have at most ${PROFILE_FIELD_LIMIT.most} custom profile fields.`,
    )
  }
  const { field_type: type, field_data, ...given } = input
  const data = { type, field_data: validateFieldData(type, field_data) }
  const field = requireValidField(fields, {
    ...given,
    ...data,
    ...externalAccountTexts(data),
    id: tx.nextId(),
    order: fields.length + 1,
  })
  await tx.db
    .insertInto('custom_profile_fields')
    .values({ organization_id: tx.organizationId, id: field.id, type: field.type, ...fieldColumns(field) })
    .execute()
  tx.emit(customProfileFieldsChanged, { fields: [...fields, field] }, everyone)
  return { id: field.id }
}

export async function updateCustomProfileField(
  tx: ActorTx,
  { field_id, field_data, ...input }: Input<typeof contract.updateCustomProfileField>,
): Promise<Record<string, never>> {
  requireAdministrator(tx)
  const fields = await profileFieldsOf(tx.db, tx.organizationId)
  const before = knownField(fields, field_id)
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  const data = field_data === undefined ? {} : { field_data: validateFieldData(before.type, field_data) }
  const wanted: CustomProfileField = { ...before, ...given, ...data }
  const field = requireValidField(
    fields.filter((other) => other !== before),
    { ...wanted, ...externalAccountTexts(wanted) },
  )
  await writeField(tx, field)
  tx.emit(customProfileFieldsChanged, { fields: fields.map((other) => (other === before ? field : other)) }, everyone)
  if (field.type === FIELD_TYPE.select) await deleteValuesExcept(tx, field.id, choicesOf(field.field_data))
  return {}
}

export async function reorderCustomProfileFields(
  tx: ActorTx,
  { order }: Input<typeof contract.reorderCustomProfileFields>,
): Promise<Record<string, never>> {
  requireAdministrator(tx)
  const fields = await profileFieldsOf(tx.db, tx.organizationId)
  if (order.length !== fields.length || new Set(order).size !== order.length) {
    throw new ApiError('BAD_REQUEST', 'Invalid order mapping.')
  }
  const ordered = order.map((fieldId, index) => ({
    ...knownField(fields, fieldId, 'Invalid order mapping.'),
    order: index + 1,
  }))
  for (const field of ordered) await writeField(tx, field)
  tx.emit(customProfileFieldsChanged, { fields: ordered }, everyone)
  return {}
}

export async function deleteCustomProfileField(
  tx: ActorTx,
  { field_id }: Input<typeof contract.deleteCustomProfileField>,
): Promise<Record<string, never>> {
  requireAdministrator(tx)
  const fields = await profileFieldsOf(tx.db, tx.organizationId)
  const gone = knownField(fields, field_id)
  await tx.db
    .deleteFrom('custom_profile_fields')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', gone.id)
    .execute()
  await tx.db
    .updateTable('users')
    .set({ profile_data: sql`profile_data - ${String(gone.id)}::text` })
    .where('organization_id', '=', tx.organizationId)
    .execute()
  for (const user of tx.organization.of(usersProjection).byId.values()) {
    const { [String(gone.id)]: said, ...profile } = user.profile
    if (said !== undefined) tx.change(usersProjection, { ...user, profile })
  }
  tx.emit(customProfileFieldsChanged, { fields: fields.filter((field) => field !== gone) }, everyone)
  return {}
}

async function deleteValuesExcept(tx: ActorTx, fieldId: number, choices: readonly string[]): Promise<void> {
  for (const user of tx.organization.of(usersProjection).byId.values()) {
    const { [String(fieldId)]: said, ...profile } = user.profile
    if (said === undefined || choices.includes(said.value)) continue
    const after = { ...user, profile }
    await writeUser(tx, after)
    emitProfileValue(tx, after, fieldId)
  }
}

function externalAccountTexts(
  field: Pick<CustomProfileField, 'type' | 'field_data'>,
): { name: string; hint: string } | object {
  const account = knownAccount(field)
  return account === undefined ? {} : { name: account.name, hint: account.hint }
}

function requireValidField(others: readonly CustomProfileField[], field: CustomProfileField): CustomProfileField {
  const name = field.name.trim()
  if (name === '') throw new ApiError('BAD_REQUEST', 'Label cannot be blank.')
  if (others.some((other) => caseKey(other.name) === caseKey(name))) {
    throw new ApiError('BAD_REQUEST', 'A field with that label already exists.')
  }
  if (field.display_in_profile_summary) {
    if (!canBeInSummary(field.type)) {
      throw new ApiError('BAD_REQUEST', 'Field type not supported for display in profile summary.')
    }
    if (others.filter((other) => other.display_in_profile_summary).length >= MAX_SUMMARY_FIELDS) {
      throw new ApiError(
        'BAD_REQUEST',
        `Only ${MAX_SUMMARY_FIELDS} custom profile fields can be displayed in the profile summary.`,
      )
    }
  }
  return { ...field, name, hint: field.hint.trim() }
}

function knownField(
  fields: readonly CustomProfileField[],
  fieldId: number,
  otherwise = `Field id ${fieldId} not found.`,
): CustomProfileField {
  const field = fields.find((known) => known.id === fieldId)
  if (field === undefined) throw new ApiError('BAD_REQUEST', otherwise)
  return field
}

async function writeField(tx: ActorTx, field: CustomProfileField): Promise<void> {
  await tx.db
    .updateTable('custom_profile_fields')
    .set(fieldColumns(field))
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', field.id)
    .execute()
}

type FieldColumns = Omit<CustomProfileField, 'id' | 'type' | 'order'> & { readonly display_order: number }

function fieldColumns(field: CustomProfileField): FieldColumns {
  const { id: _, type: __, order: display_order, ...rest } = field
  return { ...rest, display_order }
}

function requireAdministrator(tx: ActorTx): void {
  if (!isAdministrator(tx.actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
}
