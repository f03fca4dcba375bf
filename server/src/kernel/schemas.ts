import * as z from 'zod/mini'

/* Creating each shared schema once saves startup time. */

export const string = z.string()
export const boolean = z.boolean()
export const integer = z.int()

export const nothing = z.object({})

export const id = integer.check(z.minimum(1))
export const ids = z.array(id)

/** ID in a request. Accepts impossible IDs such as 0, so that they get the documented error for unknown IDs. */
export const idInRequest = integer

const textSchemas = new Map<number, z.ZodMiniString<string>>()

/** Accepts at most `max` code points; longer text is refused, never truncated. */
export function text(max: number): z.ZodMiniString<string> {
  const known = textSchemas.get(max) ?? createTextSchema(max)
  textSchemas.set(max, known)
  return known
}

function createTextSchema(max: number): z.ZodMiniString<string> {
  return string.check(maxLengthAfter('', max))
}

const composedTextSchemas = new Map<number, z.ZodMiniString<string>>()

/** Name of at most `max` code points, converted to NFC: some systems write `é` as two code points. */
export function composedText(max: number): z.ZodMiniString<string> {
  const known = composedTextSchemas.get(max) ?? composedTextAfter('', max)
  composedTextSchemas.set(max, known)
  return known
}

/** Name of at most `max` code points in NFC, not counting an optional prefix. */
export function composedTextAfter(prefix: string, max: number): z.ZodMiniString<string> {
  return string.check(z.normalize('NFC'), maxLengthAfter(prefix, max))
}

function maxLengthAfter(prefix: string, max: number): z.core.$ZodCheck<string> {
  return z.refine((value) => hasAtMostCodePoints(value.startsWith(prefix) ? value.slice(prefix.length) : value, max), {
    message: `is too long (limit: ${max} characters)`,
  })
}

function hasAtMostCodePoints(value: string, max: number): boolean {
  return value.length <= max || (value.length <= 2 * max && countCodePoints(value) <= max)
}

/** Token from a link. Real tokens are shorter than this limit. */
export const linkToken = text(100)

/** An email address; 254 is the longest valid length. */
export const mailAddress = composedText(254)

export function countCodePoints(value: string): number {
  let count = 0
  for (const _ of value) count += 1
  return count
}

/** Maximum members in a value's JSON, for schemas with a limit below `MAX_JSON_MEMBERS`. */
export const memberLimits = z.registry<{ readonly most: number }>()

/** Limits all members, even nested, before parsing: tens of thousands of members block the event loop for 100 ms. */
export function limitedRecord<Value extends z.ZodMiniType>(
  key: z.ZodMiniString<string>,
  value: Value,
  most: number,
): z.ZodMiniRecord<z.ZodMiniString<string>, Value> {
  return z.record(key, value).register(memberLimits, { most })
}
