import type { JsonSchema } from './schema.ts'

const MAX_INLINE_CHARACTERS = 72

/** Formats types such as `integer`, `string[]`, `"add" | "remove"`, `{ id: integer, name?: string }`. */
export function typeText(schema: JsonSchema): string {
  const full = typeWithFields(schema)
  return full.length > MAX_INLINE_CHARACTERS && directFields(schema).length > 0 ? typeWithoutFields(schema) : full
}

export interface NestedField {
  readonly name: string
  readonly schema: JsonSchema
  readonly required: boolean
}

export function nestedFields(name: string, schema: JsonSchema): NestedField[] {
  if (typeText(schema) === typeWithFields(schema)) return []
  return directFields(schema).flatMap((field) => {
    const nested = { ...field, name: `${name}${field.name}` }
    return [nested, ...nestedFields(nested.name, nested.schema)]
  })
}

function directFields(schema: JsonSchema): NestedField[] {
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return mergeAlternatives(options.map(directFields).filter((fields) => fields.length > 0))
  if (typeof schema.items === 'object') return prefixedFields('[]', schema.items)
  const { properties = {}, required = [], additionalProperties } = schema
  const own = Object.entries(properties).map(([name, member]) => ({
    name: `.${name}`,
    schema: member,
    required: required.includes(name),
  }))
  return typeof additionalProperties === 'object' ? [...own, ...prefixedFields('[…]', additionalProperties)] : own
}

function prefixedFields(step: string, schema: JsonSchema): NestedField[] {
  return directFields(schema).map((field) => ({ ...field, name: step + field.name }))
}

function mergeAlternatives(alternatives: readonly (readonly NestedField[])[]): NestedField[] {
  const names = [...new Set(alternatives.flatMap((fields) => fields.map(({ name }) => name)))]
  return names.flatMap((name) => {
    const same = alternatives.flatMap((fields) => fields.filter((field) => field.name === name))
    const [first] = same
    const required = same.length === alternatives.length && same.every((field) => field.required)
    return first === undefined ? [] : [{ ...first, required }]
  })
}

function typeWithFields(schema: JsonSchema): string {
  return schemaText(schema, ({ properties = {}, required = [] }) => {
    const members = Object.entries(properties).map(
      ([name, member]) => `${name}${required.includes(name) ? '' : '?'}: ${typeWithFields(member)}`,
    )
    return `{ ${members.join(', ')} }`
  })
}

function typeWithoutFields(schema: JsonSchema): string {
  return schemaText(schema, () => 'object')
}

function schemaText(schema: JsonSchema, object: (schema: JsonSchema) => string): string {
  const inner = (member: JsonSchema): string => schemaText(member, object)
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return [...new Set(options.map(inner))].join(' | ')
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(inner).join(', ')}]`
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  if (schema.type === 'array') return listText(schema.items, inner)
  if (schema.type !== 'object') return typeof schema.type === 'string' ? schema.type : 'any'
  if (schema.properties !== undefined && Object.keys(schema.properties).length > 0) return object(schema)
  return typeof schema.additionalProperties === 'object' ? `{ […]: ${inner(schema.additionalProperties)} }` : 'object'
}

function listText(items: JsonSchema | boolean | undefined, inner: (schema: JsonSchema) => string): string {
  if (typeof items !== 'object') return 'any[]'
  if (items['not'] !== undefined) return 'empty list'
  const item = inner(items)
  return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
}
