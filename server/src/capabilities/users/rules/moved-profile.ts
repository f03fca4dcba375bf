import { ApiError } from '../../../kernel/refusal.ts'
import { textOf, UnimportableRecordError, type ArchiveRecord } from '../../../platform/moving/carried.ts'
import {
  fieldData,
  FIELD_TYPE,
  FIELD_TYPES,
  MAX_FIELD_HINT_CHARACTERS,
  MAX_FIELD_USERS,
  type CustomProfileField,
  type FieldData,
  type FieldType,
} from '../contract/profile.ts'
import { checkedFieldData, checkedText, isMarkdown, knownAccount, maySummarize } from './profile.ts'

const MAX_DATA_CHARACTERS = 100_000
const MAX_TEXT_CHARACTERS = 10_000

/** Changes an imported field into one that an administrator could create. @throws UnimportableRecordError */
export function normalizeField(field: ArchiveRecord, note: (what: string) => void): void {
  const type = requireFieldType(field['type'])
  const data = checkedData(type, textOf(field, 'field_data', MAX_DATA_CHARACTERS))
  field['field_data'] = data
  const account = knownAccount({ type, field_data: data })
  if (account !== undefined) Object.assign(field, account)
  const hint = textOf(field, 'hint', MAX_TEXT_CHARACTERS)
  field['hint'] = Array.from(hint.replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim())
    .slice(0, MAX_FIELD_HINT_CHARACTERS)
    .join('')
  if (field['hint'] !== hint) note('hints of custom profile fields were changed: invalid')
  if (field['display_in_profile_summary'] === true && !maySummarize(type)) {
    field['display_in_profile_summary'] = false
    note('custom profile fields in the profile summary: not possible for this type')
  }
}

function requireFieldType(given: unknown): FieldType {
  const found = Object.values(FIELD_TYPES).find(({ id }) => id === given)
  if (found === undefined) throw new UnimportableRecordError('type is invalid')
  return found.id
}

function checkedData(type: FieldType, text: string): string {
  try {
    return checkedFieldData(type, parseFieldData(text))
  } catch (error) {
    if (error instanceof ApiError) throw new UnimportableRecordError(error.message)
    throw error
  }
}

function parseFieldData(text: string): FieldData {
  if (text === '') return {}
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new UnimportableRecordError('field_data is not JSON')
  }
  const data = fieldData.safeParse(given)
  if (!data.success) throw new UnimportableRecordError('field_data is in the wrong format')
  return data.data
}

export type Profile = Readonly<Record<string, { readonly value: string; readonly rendered_value?: string }>>

/** Omits values that the fields would not accept. `isPerson`: whether an ID belongs to a person rather than a bot. */
export function validProfileValues(
  profile: Profile,
  fields: ReadonlyMap<string, CustomProfileField>,
  isPerson: (id: number) => boolean,
): Profile {
  return Object.fromEntries(
    Object.entries(profile).flatMap(([id, answer]) => {
      const field = fields.get(id)
      if (field === undefined || !isAcceptedValue(field, answer.value, isPerson)) return []
      return [[id, isMarkdown(field) ? answer : { value: answer.value }]]
    }),
  )
}

function isAcceptedValue(field: CustomProfileField, value: string, isPerson: (id: number) => boolean): boolean {
  if (field.type === FIELD_TYPE.users) return listsOnlyPeople(value, isPerson)
  try {
    return value !== '' && checkedText(field, value) === value
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function listsOnlyPeople(value: string, isPerson: (id: number) => boolean): boolean {
  try {
    const ids: unknown = JSON.parse(value)
    if (!Array.isArray(ids) || ids.length === 0 || ids.length > MAX_FIELD_USERS) return false
    return new Set(ids).size === ids.length && ids.every((id) => typeof id === 'number' && isPerson(id))
  } catch {
    return false
  }
}
