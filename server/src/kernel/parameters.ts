import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { Refusal } from './refusal.ts'

/**
 * The parameters of a request, as every method sends them: text by name, from the path, a form, multipart fields
 * or the query. Arrays, objects, booleans and numbers are JSON inside one field.
 */
export type RawParameters = Readonly<Record<string, string>>

/** A positive identifier. */
export const id = z.int().min(1)

/** Text of at most `max` Unicode code points; over-long text is refused, never cut. */
export function text(max: number): z.ZodString {
  return z.string().refine((value) => value.length <= max || codePoints(value) <= max, {
    message: `is too long (limit: ${max} characters)`,
  })
}

export function codePoints(value: string): number {
  let count = 0
  for (const _ of value) count += 1
  return count
}

/** How a parameter's text becomes a value. `word`: bare or as a JSON string. `mixed`: JSON, else the text itself. */
type Encoding = 'text' | 'word' | 'scalar' | 'json' | 'mixed'

interface Field {
  readonly name: string
  readonly schema: z.ZodType
  readonly encoding: Encoding
  readonly optional: boolean
  readonly alias: string | undefined
}

const plans = new WeakMap<Endpoint, readonly Field[]>()

function planOf(endpoint: Endpoint): readonly Field[] {
  let plan = plans.get(endpoint)
  if (plan === undefined) {
    const aliasOf = Object.fromEntries(Object.entries(endpoint.aliases ?? {}).map(([alias, name]) => [name, alias]))
    plan = Object.entries(endpoint.input.shape).map(([name, schema]) => {
      // A ZodObject's shape holds zod types; the declared type is zod's core interface.
      const type = schema as z.ZodType
      return {
        name,
        schema: type,
        encoding: encodingOf(type),
        optional: type.safeParse(undefined).success,
        alias: aliasOf[name],
      }
    })
    plans.set(endpoint, plan)
  }
  return plan
}

/** The parts of a zod definition that say which JSON kinds a schema takes. */
interface Definition {
  type: string
  innerType?: z.ZodType
  in?: z.ZodType
  options?: readonly z.ZodType[]
  values?: readonly unknown[]
}

function encodingOf(schema: z.ZodType): Encoding {
  // zod's definitions are a union over all its classes; only these fields are read.
  const definition = schema.def as unknown as Definition
  switch (definition.type) {
    case 'optional':
    case 'default':
    case 'prefault':
    case 'nullable':
    case 'readonly':
      return definition.innerType === undefined ? 'json' : encodingOf(definition.innerType)
    case 'pipe':
      return definition.in === undefined ? 'json' : encodingOf(definition.in)
    case 'string':
      return 'text'
    case 'enum':
    case 'literal':
      return 'word'
    case 'union': {
      const inner = new Set((definition.options ?? []).map(encodingOf))
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

/**
 * Parses a request's parameters by the endpoint's declaration.
 * @returns the input and the names of parameters the endpoint does not have, in the order they came
 * @throws Refusal REQUEST_VARIABLE_MISSING, REQUEST_VARIABLE_INVALID, REQUEST_CONFUSING_VAR or INVALID_JSON
 */
export function parseParameters<E extends Endpoint>(
  endpoint: E,
  raw: RawParameters,
): { input: z.output<E['input']>; ignored: string[] } {
  const input: Record<string, unknown> = {}
  const known = new Set<string>()
  for (const field of planOf(endpoint)) {
    known.add(field.name)
    if (field.alias !== undefined) known.add(field.alias)
    const given = rawValue(field, raw)
    if (given === undefined) {
      if (!field.optional) {
        throw new Refusal('REQUEST_VARIABLE_MISSING', `Missing '${field.name}' argument`, { var_name: field.name })
      }
      const fallback = field.schema.parse(undefined)
      if (fallback !== undefined) input[field.name] = fallback
      continue
    }
    const checked = field.schema.safeParse(decode(field, given))
    if (!checked.success) throw invalid(field.name, checked.error)
    input[field.name] = checked.data
  }
  const ignored = Object.keys(raw).filter((name) => !known.has(name))
  // Each field was parsed by the schema of that name, so together they are the object's output.
  return { input: input as z.output<E['input']>, ignored }
}

function rawValue(field: Field, raw: RawParameters): string | undefined {
  const own = Object.hasOwn(raw, field.name) ? raw[field.name] : undefined
  if (field.alias === undefined || !Object.hasOwn(raw, field.alias)) return own
  if (own !== undefined) {
    throw new Refusal('REQUEST_CONFUSING_VAR', `Can't decide between '${field.name}' and '${field.alias}' arguments`, {
      var_name: field.name,
    })
  }
  return raw[field.alias]
}

function decode(field: Field, given: string): unknown {
  if (field.encoding === 'text') return storable(field.name, given)
  let value: unknown
  try {
    value = JSON.parse(given)
  } catch {
    if (field.encoding === 'json') throw new Refusal('INVALID_JSON', `Argument '${field.name}' is not valid JSON.`)
    if (field.encoding === 'scalar') {
      throw new Refusal('REQUEST_VARIABLE_INVALID', `Argument '${field.name}' has the wrong type`)
    }
    return storable(field.name, given)
  }
  if (field.encoding === 'word' && typeof value !== 'string') return given
  return storable(field.name, value)
}

/** No parameter of the API nests deeper; the limit keeps hostile JSON from exhausting the stack. */
const MAX_JSON_DEPTH = 32

/** PostgreSQL stores neither NUL nor half a surrogate pair, so neither gets past the edge. */
function storable<Value>(name: string, value: Value, depth = 0): Value {
  if (depth > MAX_JSON_DEPTH) throw new Refusal('REQUEST_VARIABLE_INVALID', `Argument '${name}' is nested too deeply`)
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw new Refusal('REQUEST_VARIABLE_INVALID', `Argument '${name}' contains invalid characters`)
    }
  } else if (Array.isArray(value)) {
    for (const item of value) storable(name, item, depth + 1)
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      storable(name, key)
      storable(name, item, depth + 1)
    }
  }
  return value
}

function invalid(name: string, error: z.ZodError): Refusal {
  const issue = error.issues[0]
  const where = [name, ...(issue?.path ?? []).map(String)].join('.')
  const message = issue?.code === 'custom' ? `${where} ${issue.message}` : `Invalid ${where}: ${issue?.message ?? ''}`
  return new Refusal('REQUEST_VARIABLE_INVALID', message)
}
