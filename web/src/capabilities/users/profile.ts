import { users } from '@parley/server/contract'
import { store } from '../../platform/client.ts'
import { userById } from './state.ts'

/** A field of the organization with what one person says in it. */
export interface FilledField {
  readonly id: number
  readonly name: string
  readonly type: users.FieldType
  readonly value: string
  /** Of fields that may hold Markdown. */
  readonly html: string | undefined
  /** The texts of a list of options by the values that are stored. */
  readonly choices: ReadonlyMap<string, string>
  /** Where it leads; undefined for addresses that are none of the web. */
  readonly address: string | undefined
}

/** All that a person says in the organization's own profile fields, in their order. */
export function fieldsOf(userId: number): readonly FilledField[] {
  const said = userById(userId)?.profile_data ?? {}
  return store()
    .read('custom_profile_fields')
    .toSorted((one, other) => one.order - other.order)
    .flatMap((field) => {
      const { value, rendered_value: html } = said[String(field.id)] ?? {}
      if (value === undefined || value === '') return []
      const { id, name } = field
      return [{ id, name, type: field.type, value, html, choices: choicesOf(field), address: addressOf(field, value) }]
    })
}

/** The options of a list, in their order: their texts by the values that are stored. */
export function choicesOf({ type, field_data }: users.CustomProfileField): ReadonlyMap<string, string> {
  if (type !== users.FIELD_TYPE.select) return new Map()
  // As the server declares the data of such a field.
  const data = JSON.parse(field_data) as Record<string, { text: string; order: string | number }>
  const choices = Object.entries(data).toSorted(([, one], [, other]) => Number(one.order) - Number(other.order))
  return new Map(choices.map(([value, { text }]) => [value, text]))
}

function addressOf({ type, field_data }: users.CustomProfileField, value: string): string | undefined {
  if (type === users.FIELD_TYPE.link) return webAddress(value)
  if (type !== users.FIELD_TYPE.externalAccount) return undefined
  // As the server declares the data of such a field.
  const { subtype = '', url_pattern } = JSON.parse(field_data) as { subtype?: string; url_pattern?: string }
  const pattern = users.EXTERNAL_ACCOUNTS[subtype]?.url_pattern ?? url_pattern ?? ''
  return webAddress(pattern.replace('%(username)s', encodeURIComponent(value)))
}

/** What people enter may be an address of any kind, of which only those of the web are followed. */
function webAddress(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text)
    return protocol === 'https:' || protocol === 'http:' ? href : undefined
  } catch {
    return undefined
  }
}

/** The people whom a field names. */
export function idsIn(value: string): readonly number[] {
  try {
    const ids: unknown = JSON.parse(value)
    return Array.isArray(ids) ? ids.map(Number) : []
  } catch {
    return []
  }
}
