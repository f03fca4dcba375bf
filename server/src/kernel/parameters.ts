import type * as z from 'zod/mini'
import type { Endpoint } from './endpoint.ts'
import { isExcessiveJson, MAX_JSON_DEPTH, MAX_JSON_MEMBERS } from './excessive-json.ts'
import { ApiError } from './refusal.ts'
import { memberLimits } from './schemas.ts'

/** Parameters from the path, query, or a form. Arrays, objects, booleans, and numbers are JSON text in one field. */
export type RawParameters = ReadonlyMap<string, RawParameter>

export type RawParameter = string | { readonly json: unknown }

/** `word`: plain text or a JSON string. `scalar`: JSON number or boolean. `mixed`: JSON if valid, else plain text. */
type ParameterEncoding = 'text' | 'word' | 'scalar' | 'json' | 'mixed'

interface ParameterField {
  readonly name: string
  readonly schema: z.ZodMiniType
  readonly encoding: ParameterEncoding
  readonly mostMembers: number
  /** Default for a missing field; deeply frozen, because all requests share it. */
  readonly fallback: { readonly value: unknown } | undefined
  readonly aliases: readonly string[]
}

interface ParsingPlan {
  readonly fields: readonly ParameterField[]
  readonly names: ReadonlySet<string>
}

const parsingPlans = new WeakMap<Endpoint, ParsingPlan>()

function parsingPlanFor(endpoint: Endpoint): ParsingPlan {
  let plan = parsingPlans.get(endpoint)
  if (plan === undefined) {
    const aliases = Object.entries(endpoint.aliases ?? {})
    const fields = Object.entries(endpoint.input.shape).map(([name, schema]): ParameterField => {
      // Safe: a ZodObject's shape contains zod types; its declared type is zod's core interface.
      const type = schema as z.ZodMiniType
      const absent = type.safeParse(undefined)
      return {
        name,
        schema: type,
        encoding: parameterEncoding(type),
        mostMembers: maxJsonMembers(type),
        fallback: absent.success ? { value: deepFreeze(absent.data) } : undefined,
        aliases: aliases.filter(([, meant]) => meant === name).map(([alias]) => alias),
      }
    })
    plan = { fields, names: new Set(fields.flatMap(({ name, aliases: others }) => [name, ...others])) }
    parsingPlans.set(endpoint, plan)
  }
  return plan
}

function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}

interface ZodDefinition {
  type: string
  shape?: Readonly<Record<string, z.ZodMiniType>>
  innerType?: z.ZodMiniType
  in?: z.ZodMiniType
  options?: readonly z.ZodMiniType[]
  values?: readonly unknown[]
}

function parameterEncoding(schema: z.ZodMiniType): ParameterEncoding {
  // Safe: zod's definitions are a union over all its classes; only these fields are read.
  const definition = schema.def as unknown as ZodDefinition
  switch (definition.type) {
    case 'optional':
    case 'default':
    case 'prefault':
    case 'nullable':
    case 'readonly':
      return definition.innerType === undefined ? 'json' : parameterEncoding(definition.innerType)
    case 'pipe':
      return definition.in === undefined ? 'json' : parameterEncoding(definition.in)
    case 'string':
      return 'text'
    case 'enum':
    case 'literal':
      return 'word'
    case 'union': {
      const inner = new Set((definition.options ?? []).map(parameterEncoding))
      if (inner.size === 1 && inner.has('text')) return 'text'
      return inner.has('text') || inner.has('word') ? 'mixed' : 'json'
    }
    case 'number':
    case 'int':
    case 'boolean':
      return 'scalar'
    default:
      return 'json'
  }
}

/** Flat objects have few members, even if newer clients add some that this version does not know. */
const MAX_FLAT_MEMBERS = 1_000

function maxJsonMembers(schema: z.ZodMiniType): number {
  const { innerType, shape } = schema.def as unknown as ZodDefinition
  if (innerType !== undefined) return maxJsonMembers(innerType)
  const isFlat = shape !== undefined && Object.values(shape).every((member) => parameterEncoding(member) !== 'json')
  return memberLimits.get(schema)?.most ?? (isFlat ? MAX_FLAT_MEMBERS : MAX_JSON_MEMBERS)
}

/**
 * @returns the input, and unknown parameter names in the order received
 * @throws ApiError REQUEST_VARIABLE_MISSING, REQUEST_VARIABLE_INVALID, REQUEST_CONFUSING_VAR, or INVALID_JSON
 */
export function parseParameters<E extends Endpoint>(
  endpoint: E,
  raw: RawParameters,
): { input: z.output<E['input']>; ignored: string[] } {
  const { fields, names } = parsingPlanFor(endpoint)
  const input: Record<string, unknown> = {}
  for (const field of fields) {
    const given = findRawValue(field, raw)
    if (given === undefined) {
      if (field.fallback === undefined) {
        throw new ApiError('REQUEST_VARIABLE_MISSING', `Missing '${field.name}' argument`, { var_name: field.name })
      }
      const { value } = field.fallback
      if (value !== undefined) input[field.name] = value
      continue
    }
    input[field.name] = checkedParameter(field.name, field.schema, decodeParameter(field, given))
  }
  const ignored: string[] = []
  for (const name of raw.keys()) if (!names.has(name)) ignored.push(name)
  // Safe: each field was parsed by the schema of its name, so together they are the object's output.
  return { input: input as z.output<E['input']>, ignored }
}

/** Checks a decoded value against its schema. @throws ApiError REQUEST_VARIABLE_INVALID */
export function checkedParameter<Schema extends z.ZodMiniType>(
  name: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const checked = schema.safeParse(value)
  if (!checked.success) throw invalidValueError(name, checked.error)
  return checked.data
}

function findRawValue(field: ParameterField, raw: RawParameters): RawParameter | undefined {
  let value = raw.get(field.name)
  let given = value === undefined ? undefined : field.name
  for (const alias of field.aliases) {
    const other = raw.get(alias)
    if (other === undefined) continue
    if (given !== undefined) {
      throw new ApiError('REQUEST_CONFUSING_VAR', `Can't decide between '${given}' and '${alias}' arguments`, {
        var_name: field.name,
      })
    }
    value = other
    given = alias
  }
  return value
}

function decodeParameter(field: ParameterField, given: RawParameter): unknown {
  return requireStorableValue(
    field,
    typeof given === 'string' ? decodeText(field, given) : decodeJson(field, given.json),
  )
}

function decodeText({ name, encoding, mostMembers, schema }: ParameterField, given: string): unknown {
  if (encoding === 'text') return given
  if (isExcessiveJson(given, mostMembers)) throw excessiveJsonError(name)
  const value = parseIfJson(given)
  if (value === undefined) {
    if (encoding === 'json') throw new ApiError('INVALID_JSON', `Argument '${name}' is not valid JSON.`)
    if (encoding === 'scalar') throw wrongTypeError(name)
    return given
  }
  if (typeof value === 'string') return value
  if (encoding === 'word') return given
  // Plain text can happen to be valid JSON, such as a channel named `true` or `1.5`.
  const isWord = encoding === 'mixed' && (value === null || typeof value !== 'object')
  return isWord && !schema.safeParse(value).success ? given : value
}

/** Excludes most plain text: a failed JSON.parse takes longer than the rest of parsing a request. */
const JSON_START_PATTERN = /^\s*(?:["[{\d-]|(?:true|false|null)\s*$)/

function parseIfJson(given: string): unknown {
  if (!JSON_START_PATTERN.test(given)) return undefined
  try {
    return JSON.parse(given)
  } catch {
    return undefined
  }
}

function decodeJson({ name, encoding }: ParameterField, value: unknown): unknown {
  if (encoding === 'word' && (typeof value === 'boolean' || typeof value === 'number')) return String(value)
  if (encoding !== 'text') return value
  if (typeof value !== 'number') throw wrongTypeError(name)
  return String(value)
}

/** Rejects NUL and lone surrogates, which PostgreSQL cannot store. */
function requireStorableValue({ name, mostMembers }: ParameterField, value: unknown): unknown {
  if (typeof value === 'string') return requireStorableText(name, value)
  if (value === null || typeof value !== 'object') return value
  let members = 0
  const check = (item: unknown, depth: number): void => {
    if (typeof item === 'string') requireStorableText(name, item)
    if (item === null || typeof item !== 'object') return
    const keys = Array.isArray(item) ? [] : Object.keys(item)
    members += Array.isArray(item) ? item.length : keys.length
    if (depth >= MAX_JSON_DEPTH || members > mostMembers) throw excessiveJsonError(name)
    for (const key of keys) {
      // Refuses this key, because schemas would silently drop it.
      if (key === '__proto__') throw new ApiError('REQUEST_VARIABLE_INVALID', `Argument '${name}' cannot hold ${key}`)
      requireStorableText(name, key)
    }
    for (const member of Object.values(item)) check(member, depth + 1)
  }
  check(value, 0)
  return value
}

function requireStorableText(name: string, given: string): string {
  if (!given.includes('\0') && given.isWellFormed()) return given
  throw new ApiError('REQUEST_VARIABLE_INVALID', `Argument '${name}' contains invalid characters`)
}

function excessiveJsonError(name: string): ApiError {
  return new ApiError('REQUEST_VARIABLE_INVALID', `Argument '${name}' is too large or too deep`)
}

function wrongTypeError(name: string): ApiError {
  return new ApiError('REQUEST_VARIABLE_INVALID', `Argument '${name}' has the wrong type`)
}

function invalidValueError(name: string, error: z.core.$ZodError): ApiError {
  const issue = error.issues[0]
  const where = [name, ...(issue?.path ?? []).map(String)].join('.')
  const message = issue?.code === 'custom' ? `${where} ${issue.message}` : `Invalid ${where}: ${issue?.message ?? ''}`
  return new ApiError('REQUEST_VARIABLE_INVALID', message)
}
