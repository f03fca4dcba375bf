import * as z from 'zod/mini'

/* Schemas shared by hundreds of declarations. Creating each once saves startup time. */

export const string = z.string()
export const boolean = z.boolean()
export const integer = z.int()

/** An object without named fields: for endpoints without parameters, or without a result. */
export const nothing = z.object({})

export const id = integer.check(z.minimum(1))
export const ids = z.array(id)

/** An ID in requests to endpoints with a documented error for unknown IDs: impossible IDs get the same error. */
export const givenId = integer

const texts = new Map<number, z.ZodMiniString<string>>()

/** Text of at most `max` Unicode code points; longer text is refused, never truncated. */
export function text(max: number): z.ZodMiniString<string> {
  const known = texts.get(max) ?? textOf(max)
  texts.set(max, known)
  return known
}

function textOf(max: number): z.ZodMiniString<string> {
  return textAfter('', max)
}

/** Text of at most `max` code points, not counting an optional prefix. */
export function textAfter(prefix: string, max: number): z.ZodMiniString<string> {
  return string.check(
    z.refine((value) => isAtMost(value.startsWith(prefix) ? value.slice(prefix.length) : value, max), {
      message: `is too long (limit: ${max} characters)`,
    }),
  )
}

function isAtMost(value: string, max: number): boolean {
  // A code point has at most two units.
  return value.length <= max || (value.length <= 2 * max && codePoints(value) <= max)
}

/** Token of an emailed or printed link. Real tokens are shorter. */
export const linkToken = text(100)

/** An email address; 254 is the longest valid length. */
export const mailAddress = text(254)

export function codePoints(value: string): number {
  let count = 0
  for (const _ of value) count += 1
  return count
}
