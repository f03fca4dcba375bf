import * as z from 'zod/mini'
import type { Limit } from '../../../kernel/limits.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { event } from '../../../kernel/event.ts'
import {
  boolean,
  composedText,
  id,
  ids,
  integer,
  limitedRecord,
  nothing,
  string,
  text,
} from '../../../kernel/schemas.ts'

export const MAX_FIELD_NAME_CHARACTERS = 40
export const MAX_FIELD_HINT_CHARACTERS = 80
export const MAX_SHORT_TEXT_CHARACTERS = 50
export const MAX_LONG_TEXT_CHARACTERS = 500
export const PROFILE_FIELD_LIMIT: Limit = { most: 100, per: 'organization', what: 'custom profile fields' }
export const MAX_SUMMARY_FIELDS = 2
export const MAX_FIELD_USERS = 100
export const MAX_CHOICES = 200
const FIELDS_PER_CHOICE = 3
/** Accepts twice the maximum, so that too many choices are refused with a specific error. */
const MAX_FIELD_DATA_MEMBERS = 2 * MAX_CHOICES * FIELDS_PER_CHOICE

export const FIELD_TYPE = {
  shortText: 1,
  longText: 2,
  select: 3,
  date: 4,
  link: 5,
  users: 6,
  externalAccount: 7,
  pronouns: 8,
} as const
export type FieldType = (typeof FIELD_TYPE)[keyof typeof FIELD_TYPE]

export const FIELD_TYPES: Readonly<Record<string, { readonly id: FieldType; readonly name: string }>> = {
  SHORT_TEXT: { id: FIELD_TYPE.shortText, name: 'Text (short)' },
  LONG_TEXT: { id: FIELD_TYPE.longText, name: 'Text (long)' },
  SELECT: { id: FIELD_TYPE.select, name: 'List of options' },
  DATE: { id: FIELD_TYPE.date, name: 'Date' },
  URL: { id: FIELD_TYPE.link, name: 'Link' },
  USER: { id: FIELD_TYPE.users, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: FIELD_TYPE.externalAccount, name: 'External account' },
  PRONOUNS: { id: FIELD_TYPE.pronouns, name: 'Pronouns' },
}

export const EXTERNAL_ACCOUNTS: Readonly<
  Record<string, { readonly text: string; readonly name: string; readonly hint: string; readonly url_pattern: string }>
> = {
  github: { text: 'GitHub', name: 'GitHub username', hint: '', url_pattern: 'https://github.com/%(username)s' },
  twitter: { text: 'Twitter', name: 'Twitter username', hint: '', url_pattern: 'https://twitter.com/%(username)s' },
}

const fieldType = z.union([
  z.literal(1),
  z.literal(2),
  z.literal(3),
  z.literal(4),
  z.literal(5),
  z.literal(6),
  z.literal(7),
  z.literal(8),
])

/** Choices by stored value, or the fields that describe an external account. */
export const fieldData = limitedRecord(
  string,
  z.union([string, z.strictObject({ text: string, order: z.union([string, integer]) })]),
  MAX_FIELD_DATA_MEMBERS,
)
export type FieldData = z.output<typeof fieldData>

export const customProfileField = z.strictObject({
  id,
  type: fieldType,
  order: integer,
  name: string,
  hint: string,
  /** JSON for lists of options and external accounts; empty for other types. */
  field_data: string,
  display_in_profile_summary: boolean,
  required: boolean,
  editable_by_user: boolean,
})
export type CustomProfileField = z.output<typeof customProfileField>

export const getCustomProfileFields = endpoint({
  id: 'getCustomProfileFields',
  method: 'GET',
  path: '/realm/profile_fields',
  summary: 'List custom profile fields.',
  since: 0,
  forTokens: 'reading',
  input: nothing,
  output: z.object({ custom_fields: z.array(customProfileField) }),
  errors: [],
})

export const createCustomProfileField = endpoint({
  id: 'createCustomProfileField',
  method: 'POST',
  path: '/realm/profile_fields',
  summary: 'Create a custom profile field.',
  since: 0,
  input: z.object({
    name: z._default(composedText(MAX_FIELD_NAME_CHARACTERS), ''),
    hint: z._default(text(MAX_FIELD_HINT_CHARACTERS), ''),
    field_type: fieldType,
    field_data: z._default(fieldData, {}),
    display_in_profile_summary: z._default(boolean, false),
    required: z._default(boolean, false),
    editable_by_user: z._default(boolean, true),
  }),
  output: z.object({ id }),
  errors: ['BAD_REQUEST'],
})

export const reorderCustomProfileFields = endpoint({
  id: 'reorderCustomProfileFields',
  method: 'PATCH',
  path: '/realm/profile_fields',
  summary: 'Reorder custom profile fields.',
  since: 0,
  input: z.object({
    /** Must contain the ID of every field once. */
    order: ids,
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const updateCustomProfileField = endpoint({
  id: 'updateCustomProfileField',
  method: 'PATCH',
  path: '/realm/profile_fields/:field_id',
  summary: 'Update a custom profile field.',
  since: 0,
  input: z.object({
    field_id: id,
    name: z.optional(composedText(MAX_FIELD_NAME_CHARACTERS)),
    hint: z.optional(text(MAX_FIELD_HINT_CHARACTERS)),
    field_data: z.optional(fieldData),
    display_in_profile_summary: z.optional(boolean),
    required: z.optional(boolean),
    editable_by_user: z.optional(boolean),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const deleteCustomProfileField = endpoint({
  id: 'deleteCustomProfileField',
  method: 'DELETE',
  path: '/realm/profile_fields/:field_id',
  summary: "Delete a custom profile field and everyone's values.",
  since: 0,
  input: z.object({ field_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const profileFieldValues = z
  .array(z.strictObject({ id, value: z.union([string, ids, z.null()]) }))
  .check(z.maxLength(PROFILE_FIELD_LIMIT.most))
export type ProfileFieldValue = z.output<typeof profileFieldValues>[number]

export const updateOwnProfileData = endpoint({
  id: 'updateOwnProfileData',
  method: 'PATCH',
  path: '/users/me/profile_data',
  summary: 'Set values of your custom profile fields.',
  since: 0,
  input: z.object({ data: profileFieldValues }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const deleteOwnProfileData = endpoint({
  id: 'deleteOwnProfileData',
  method: 'DELETE',
  path: '/users/me/profile_data',
  summary: 'Remove values of your custom profile fields.',
  since: 0,
  input: z.object({ data: z.array(id).check(z.maxLength(PROFILE_FIELD_LIMIT.most)) }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const customProfileFieldsChanged = event({
  type: 'custom_profile_fields',
  summary: 'The custom profile fields changed. Values of removed fields are gone.',
  payload: z.strictObject({ fields: z.array(customProfileField) }),
  touches: ['custom_profile_fields', 'realm_users', 'realm_non_active_users'],
  apply(state, { fields }) {
    if (state['custom_profile_fields'] !== undefined) state['custom_profile_fields'] = fields
    const known = new Set(fields.map((field) => String(field.id)))
    for (const list of [state['realm_users'], state['realm_non_active_users']]) {
      for (const person of list ?? []) {
        if (person.profile_data === undefined) continue
        const kept = Object.entries(person.profile_data).filter(([fieldId]) => known.has(fieldId))
        person.profile_data = Object.fromEntries(kept)
      }
    }
  },
})
