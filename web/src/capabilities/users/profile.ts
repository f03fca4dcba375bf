import { users } from '@parley/server/contract'
import { store } from '../../platform/client.ts'
import { userById } from './state.ts'

export interface FilledField {
  readonly id: number
  readonly name: string
  readonly type: users.FieldType
  readonly value: string
  /** Rendered value, for field types with Markdown. */
  readonly html: string | undefined
  readonly choices: ReadonlyMap<string, string>
  /** Link for the value; undefined unless it is HTTP or HTTPS. */
  readonly address: string | undefined
}

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

export function choicesOf({ type, field_data }: users.CustomProfileField): ReadonlyMap<string, string> {
  if (type !== users.FIELD_TYPE.select) return new Map()
  // Safe: the server declares these fields.
  const data = JSON.parse(field_data) as Record<string, { text: string; order: string | number }>
  const choices = Object.entries(data).toSorted(([, one], [, other]) => Number(one.order) - Number(other.order))
  return new Map(choices.map(([value, { text }]) => [value, text]))
}

function addressOf({ type, field_data }: users.CustomProfileField, value: string): string | undefined {
  if (type === users.FIELD_TYPE.link) return webAddress(value)
  if (type !== users.FIELD_TYPE.externalAccount) return undefined
  // Safe: the server declares these fields.
  const { subtype = '', url_pattern } = JSON.parse(field_data) as { subtype?: string; url_pattern?: string }
  const pattern = users.EXTERNAL_ACCOUNTS[subtype]?.url_pattern ?? url_pattern ?? ''
  return webAddress(pattern.replace('%(username)s', encodeURIComponent(value)))
}

/** Users can enter any URL scheme, but only HTTP and HTTPS are safe to follow. */
function webAddress(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text)
    return protocol === 'https:' || protocol === 'http:' ? href : undefined
  } catch {
    return undefined
  }
}

export function idsIn(value: string): readonly number[] {
  try {
    const ids: unknown = JSON.parse(value)
    return Array.isArray(ids) ? ids.map(Number) : []
  } catch {
    return []
  }
}
