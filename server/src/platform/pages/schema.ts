import * as z from 'zod/mini'
import { renameForApi, type ApiNames } from '../http/names.ts'

/** JSON Schema (draft 2020-12), with only the keywords that declarations produce. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema | boolean
  readonly prefixItems?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly description?: string
  readonly deprecated?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly [keyword: string]: unknown
}

export function objectSchema(declared: z.ZodMiniObject, names: ApiNames): JsonSchema {
  const made = z.toJSONSchema(declared, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' })
  // Safe: both are JSON Schema, and ours has fewer keywords.
  const { $schema: _, properties = {}, ...schema } = made as JsonSchema
  // Safe: a ZodObject's shape contains zod types; its declaration is looser.
  const shape = declared.shape as Readonly<Record<string, z.core.$ZodType>>
  const members = Object.entries(properties).map(([name, member]): [string, JsonSchema] => {
    const value = member.default ?? findDefault(shape[name])
    return [name, value === undefined ? member : { ...member, default: value }]
  })
  return tidySchema({ ...schema, properties: Object.fromEntries(members) }, names)
}

/** Finds defaults that zod omits from JSON Schema: those of types with inner transforms. */
function findDefault(declared: z.core.$ZodType | undefined): unknown {
  if (declared === undefined) return undefined
  const absent = z.safeParse(declared, undefined)
  return absent.success && z.safeParse(declared, absent.data).success ? absent.data : undefined
}

/** Whether requests send values as JSON, as opposed to plain strings, numbers, and booleans. */
export function isJsonEncoded(schema: JsonSchema): boolean {
  const kinds = possibleTypes(schema)
  if (kinds.has('string')) return ['number', 'integer', 'boolean', 'array', 'object'].some((kind) => kinds.has(kind))
  return kinds.has('array') || kinds.has('object') || kinds.has('any')
}

function possibleTypes(schema: JsonSchema): Set<string> {
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return new Set(options.flatMap((option) => [...possibleTypes(option)]))
  if (schema.type === undefined) return new Set(['any'])
  return new Set(typeof schema.type === 'string' ? [schema.type] : schema.type)
}

function tidySchema(schema: JsonSchema, names: ApiNames, field = ''): JsonSchema {
  const { minimum, maximum, propertyNames: _, ...rest } = schema
  const tidied: Record<string, unknown> = { ...rest }
  if (minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER) tidied['minimum'] = minimum
  if (maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER) tidied['maximum'] = maximum
  const { properties, required, items, prefixItems, additionalProperties } = schema
  if (properties !== undefined) {
    tidied['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [wireName(names, name), tidySchema(member, names, name)]),
    )
  }
  if (required !== undefined) tidied['required'] = required.map((name) => wireName(names, name))
  if (typeof items === 'object') tidied['items'] = tidySchema(items, names, field)
  if (prefixItems !== undefined) tidied['prefixItems'] = prefixItems.map((item) => tidySchema(item, names))
  if (typeof additionalProperties === 'object') tidied['additionalProperties'] = tidySchema(additionalProperties, names)
  for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
    const options = schema[keyword]?.map((option) => tidySchema(option, names, field))
    if (options !== undefined) tidied[keyword] = options
  }
  if (schema.const !== undefined) tidied['const'] = wireValue(names, field, schema.const)
  if (schema.enum !== undefined) tidied['enum'] = schema.enum.map((value) => wireValue(names, field, value))
  return mergeIntoEnum(tidied)
}

function mergeIntoEnum(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  const types = new Set(anyOf?.map(({ type }) => type))
  const [type] = types
  if (anyOf === undefined || types.size !== 1 || type === undefined) return schema
  if (!anyOf.every((option) => Object.keys(option).toSorted().join() === 'const,type')) return schema
  const values = anyOf.map((option) => option.const)
  return { ...rest, type: values.every(Number.isInteger) ? 'integer' : type, enum: values }
}

export function wireName(names: ApiNames, name: string): string {
  return renameField(names, name, 0)[0]
}

export function wireValue(names: ApiNames, field: string, value: unknown): unknown {
  return renameField(names, field, value)[1]
}

function renameField(names: ApiNames, field: string, value: unknown): [string, unknown] {
  if (names === 'neutral') return [field, value]
  // Safe: one field went in, so one comes out.
  const [renamed] = Object.entries(JSON.parse(renameForApi(names, JSON.stringify({ [field]: value }))) as object)
  return renamed as [string, unknown]
}
