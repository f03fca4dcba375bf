import { call } from '@parley/client'
import { users } from '@parley/server/contract'
import { ta } from '../../kernel/administration.ts'
import { newId } from '../../kernel/ids.ts'
import { store, sync } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { choicesOf } from './profile.ts'

/* The functions below throw errors, so that the calling form can show them. */

export type Field = users.CustomProfileField

/** Subtype of external accounts for which an administrator enters the URL pattern. */
export const CUSTOM_ACCOUNT_TYPE = 'custom'

/** `key`: value that is stored when a person chooses this option. */
export interface FieldOption {
  readonly key: string
  readonly text: string
}

export interface FieldDraft {
  readonly type: users.FieldType
  readonly name: string
  readonly hint: string
  readonly choices: readonly FieldOption[]
  readonly account: string
  readonly address: string
  readonly inSummary: boolean
  readonly isRequired: boolean
  readonly isEditable: boolean
}

export function createFieldOption(): FieldOption {
  return { key: newId(), text: '' }
}

export function createFieldDraft(field: Field | undefined): FieldDraft {
  if (field === undefined) {
    const flags = { inSummary: false, isRequired: false, isEditable: true }
    return {
      type: 1,
      name: '',
      hint: '',
      choices: [createFieldOption()],
      account: CUSTOM_ACCOUNT_TYPE,
      address: '',
      ...flags,
    }
  }
  const { type, name, hint } = field
  return {
    type,
    name,
    hint,
    choices: [...choicesOf(field)].map(([key, text]) => ({ key, text })),
    ...externalAccountOf(field),
    inSummary: field.display_in_profile_summary,
    isRequired: field.required,
    isEditable: field.editable_by_user,
  }
}

function externalAccountOf({ type, field_data: data }: Field): Pick<FieldDraft, 'account' | 'address'> {
  if (type !== users.FIELD_TYPE.externalAccount) return { account: CUSTOM_ACCOUNT_TYPE, address: '' }
  // Safe: the server declares these fields.
  const { subtype, url_pattern = '' } = JSON.parse(data) as { subtype: string; url_pattern?: string }
  return { account: subtype, address: url_pattern }
}

function toFieldData({ type, choices, account, address }: FieldDraft): users.FieldData {
  if (type === users.FIELD_TYPE.select)
    return Object.fromEntries(choices.map(({ key, text }, order) => [key, { text: text.trim(), order }]))
  if (type !== users.FIELD_TYPE.externalAccount) return {}
  return account === CUSTOM_ACCOUNT_TYPE ? { subtype: account, url_pattern: address.trim() } : { subtype: account }
}

export async function saveDraft(draft: FieldDraft, field: Field | undefined): Promise<void> {
  const input = {
    name: draft.name.trim(),
    hint: draft.hint.trim(),
    field_data: toFieldData(draft),
    display_in_profile_summary: draft.inSummary,
    required: draft.isRequired,
    editable_by_user: draft.isEditable,
  }
  if (field === undefined) await call(SESSION, users.createCustomProfileField, { ...input, field_type: draft.type })
  else await call(SESSION, users.updateCustomProfileField, { ...input, field_id: field.id })
}

export async function deleteField({ id }: Field): Promise<void> {
  await call(SESSION, users.deleteCustomProfileField, { field_id: id })
}

export function orderedFields(): readonly Field[] {
  return store()
    .read('custom_profile_fields')
    .toSorted((one, other) => one.order - other.order)
}

export async function orderFields(ordered: readonly Field[]): Promise<void> {
  const before = orderedFields()
  const show = (all: readonly Field[]): void =>
    sync.predict({ type: 'custom_profile_fields', fields: all.map((field, order) => ({ ...field, order })) })
  const send = async (all: readonly Field[]) =>
    call(SESSION, users.reorderCustomProfileFields, { order: all.map(({ id }) => id) })
  show(ordered)
  try {
    await send(ordered)
  } catch (error) {
    show(before)
    throw error
  }
  offerUndo(ta().fields.ordered, async () => send(before), { isQuiet: true })
}
