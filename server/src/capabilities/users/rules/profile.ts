import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import { countCodePoints } from '../../../kernel/schemas.ts'
import type { Member } from '../../groups/rules.ts'
import {
  EXTERNAL_ACCOUNTS,
  FIELD_TYPE,
  MAX_CHOICES,
  MAX_FIELD_USERS,
  MAX_LONG_TEXT_CHARACTERS,
  MAX_SHORT_TEXT_CHARACTERS,
  type CustomProfileField,
  type FieldData,
  type FieldType,
  type ProfileFieldValue,
  fieldData,
  FIELD_TYPES,
  MAX_FIELD_HINT_CHARACTERS,
} from '../contract/profile.ts'
import { visibleUser } from './visibility.ts'
import { requireText, UnimportableRecordError, type ArchiveRecord } from '../../../platform/moving/carried.ts'

const MAX_URL_CHARACTERS = 2_048
const USERNAME_VARIABLE = '%(username)s'

interface SelectChoice {
  readonly text: string
  readonly order: string
}

/** Returns the data in its stored form. @throws ApiError BAD_REQUEST if the data does not match the field's type */
export function validateFieldData(type: FieldType, data: FieldData): string {
  if (type === FIELD_TYPE.select) return JSON.stringify(validateChoices(data))
  if (type === FIELD_TYPE.externalAccount) return JSON.stringify(validateExternalAccount(data))
  if (Object.keys(data).length > 0) throw new ApiError('BAD_REQUEST', 'Field type does not support field data.')
  return ''
}

function validateChoices(data: FieldData): Record<string, SelectChoice> {
  const choices = Object.entries(data).map(([key, choice]): [string, SelectChoice] => {
    if (typeof choice === 'string') throw new ApiError('BAD_REQUEST', 'field_data is not a dict of choices')
    const label = choice.text.trim()
    if (key.trim() === '' || label === '') throw new ApiError('BAD_REQUEST', "'text' cannot be blank.")
    requireShortChoice(key)
    requireShortChoice(label)
    return [key, { text: label, order: String(choice.order) }]
  })
  if (choices.length === 0) throw new ApiError('BAD_REQUEST', 'Field must have at least one choice.')
  if (choices.length > MAX_CHOICES) throw new ApiError('BAD_REQUEST', `A field has at most ${MAX_CHOICES} choices.`)
  if (new Set(choices.map(([, { text }]) => text)).size < choices.length) {
    throw new ApiError('BAD_REQUEST', 'Field must not have duplicate choices.')
  }
  return Object.fromEntries(choices)
}

function validateExternalAccount(data: FieldData): Record<string, string> {
  const { subtype, url_pattern, ...others } = data
  if (Object.keys(others).length > 0) throw new ApiError('BAD_REQUEST', 'Unexpected field data for an external account')
  if (typeof subtype !== 'string') throw new ApiError('BAD_REQUEST', 'Missing subtype of the external account')
  if (subtype !== 'custom') {
    if (!Object.hasOwn(EXTERNAL_ACCOUNTS, subtype)) throw new ApiError('BAD_REQUEST', 'Invalid external account type')
    if (url_pattern !== undefined) throw new ApiError('BAD_REQUEST', 'Only custom external accounts have a URL pattern')
    return { subtype }
  }
  if (typeof url_pattern !== 'string')
    throw new ApiError('BAD_REQUEST', 'Custom external account must define URL pattern')
  if (
    url_pattern.split(USERNAME_VARIABLE).length !== 2 ||
    !isWebAddress(url_pattern.replace(USERNAME_VARIABLE, 'username'))
  ) {
    throw new ApiError('BAD_REQUEST', 'Malformed URL pattern.')
  }
  return { subtype, url_pattern }
}

export function knownAccount(
  field: Pick<CustomProfileField, 'type' | 'field_data'>,
): { name: string; hint: string } | undefined {
  if (field.type !== FIELD_TYPE.externalAccount) return undefined
  // Safe: `validateFieldData` wrote this value.
  const { subtype } = JSON.parse(field.field_data) as { subtype: string }
  return EXTERNAL_ACCOUNTS[subtype]
}

/** Whether a summary can show the type; long text and lists of users are too large. */
export function canBeInSummary(type: FieldType): boolean {
  return type !== FIELD_TYPE.longText && type !== FIELD_TYPE.users
}

export function isMarkdown({ type }: CustomProfileField): boolean {
  return type === FIELD_TYPE.shortText || type === FIELD_TYPE.longText
}

export function choicesOf(stored: string): string[] {
  // Safe: `validateFieldData` wrote this value.
  return Object.keys(JSON.parse(stored) as Record<string, SelectChoice>)
}

/** Returns the stored value, or undefined for no value. @throws ApiError if the field does not accept the value */
export function validateProfileValue(
  organization: OrganizationState,
  viewer: Member,
  field: CustomProfileField,
  given: ProfileFieldValue['value'],
): string | undefined {
  const value = typeof given === 'string' ? given.trim() : given
  if (value === null || value.length === 0) return undefined
  if (field.type === FIELD_TYPE.users) return validateProfileUsers(organization, viewer, field, value)
  if (typeof value !== 'string') throw new ApiError('BAD_REQUEST', `${field.name} is not a string`)
  return validateProfileText(field, value)
}

/** The field must not be a list of users. @throws ApiError BAD_REQUEST if the field does not accept the text */
function validateProfileText(field: CustomProfileField, value: string): string {
  switch (field.type) {
    case FIELD_TYPE.longText:
      if (countCodePoints(value) > MAX_LONG_TEXT_CHARACTERS) throw tooLongError(field.name, MAX_LONG_TEXT_CHARACTERS)
      return value
    case FIELD_TYPE.select:
      if (!choicesOf(field.field_data).includes(value)) {
        throw new ApiError('BAD_REQUEST', `'${value}' is not a valid choice for '${field.name}'.`)
      }
      return value
    case FIELD_TYPE.date:
      if (!isDate(value)) throw new ApiError('BAD_REQUEST', `${field.name} is not a date`)
      return value
    case FIELD_TYPE.link:
      if (value.length > MAX_URL_CHARACTERS || !isWebAddress(value))
        throw new ApiError('BAD_REQUEST', `${field.name} is not a URL`)
      return value
    default:
      if (countCodePoints(value) > MAX_SHORT_TEXT_CHARACTERS) throw tooLongError(field.name, MAX_SHORT_TEXT_CHARACTERS)
      return value
  }
}

function validateProfileUsers(
  organization: OrganizationState,
  viewer: Member,
  field: CustomProfileField,
  value: string | readonly number[],
): string {
  if (typeof value === 'string') throw new ApiError('BAD_REQUEST', `${field.name} is not a list of user IDs`)
  const userIds = [...new Set(value)]
  if (userIds.length > MAX_FIELD_USERS) {
    throw new ApiError('BAD_REQUEST', `${field.name} names at most ${MAX_FIELD_USERS} users`)
  }
  for (const userId of userIds) {
    const user = visibleUser(organization, viewer, userId)
    if (user?.isActive !== true || user.botType !== null)
      throw new ApiError('BAD_REQUEST', `Invalid user ID: ${userId}`)
  }
  return JSON.stringify(userIds)
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value)
}

function requireShortChoice(value: string): void {
  if (countCodePoints(value) > MAX_SHORT_TEXT_CHARACTERS) throw tooLongError('Choice', MAX_SHORT_TEXT_CHARACTERS)
}

function tooLongError(name: string, max: number): ApiError {
  return new ApiError('BAD_REQUEST', `${name} is too long (limit: ${max} characters)`)
}

const MAX_FIELD_DATA_CHARACTERS = 100_000
const MAX_TEXT_CHARACTERS = 10_000

/** Changes an imported field into one that an administrator could create. @throws UnimportableRecordError */
export function normalizeField(field: ArchiveRecord, note: (what: string) => void): void {
  const type = requireFieldType(field['type'])
  const data = parseImportedFieldData(type, requireText(field, 'field_data', MAX_FIELD_DATA_CHARACTERS))
  field['field_data'] = data
  const account = knownAccount({ type, field_data: data })
  if (account !== undefined) Object.assign(field, account)
  const hint = requireText(field, 'hint', MAX_TEXT_CHARACTERS)
  field['hint'] = Array.from(hint.replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim())
    .slice(0, MAX_FIELD_HINT_CHARACTERS)
    .join('')
  if (field['hint'] !== hint) note('hints of custom profile fields were changed: invalid')
  if (field['display_in_profile_summary'] === true && !canBeInSummary(type)) {
    field['display_in_profile_summary'] = false
    note('custom profile fields in the profile summary: not possible for this type')
  }
}

function requireFieldType(given: unknown): FieldType {
  const found = Object.values(FIELD_TYPES).find(({ id }) => id === given)
  if (found === undefined) throw new UnimportableRecordError('type is invalid')
  return found.id
}

function parseImportedFieldData(type: FieldType, text: string): string {
  try {
    return validateFieldData(type, parseFieldData(text))
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
  if (field.type === FIELD_TYPE.users) return containsOnlyPersonIds(value, isPerson)
  try {
    return value !== '' && validateProfileText(field, value) === value
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function containsOnlyPersonIds(value: string, isPerson: (id: number) => boolean): boolean {
  try {
    const ids: unknown = JSON.parse(value)
    if (!Array.isArray(ids) || ids.length === 0 || ids.length > MAX_FIELD_USERS) return false
    return new Set(ids).size === ids.length && ids.every((id) => typeof id === 'number' && isPerson(id))
  } catch {
    return false
  }
}
