import * as z from 'zod/mini'

/*
 * Schemas that hundreds of declarations name. A schema never changes, so each of these is made once: every start makes
 * all schemas there are.
 */

export const string = z.string()
export const boolean = z.boolean()
export const integer = z.int()

/** An object of which no field is named: what comes to an endpoint without parameters, and from one that only acts. */
export const nothing = z.object({})

/** A positive identifier. */
export const id = integer.check(z.minimum(1))
export const ids = z.array(id)

/**
 * An id in a request to an endpoint that documents how it refuses unknown ids: a number that cannot be an id is
 * refused in the same words as an id that nothing has.
 */
export const givenId = integer

const texts = new Map<number, z.ZodMiniString<string>>()

/** Text of at most `max` Unicode code points; over-long text is refused, never cut. */
export function text(max: number): z.ZodMiniString<string> {
  const known = texts.get(max) ?? textOf(max)
  texts.set(max, known)
  return known
}

function textOf(max: number): z.ZodMiniString<string> {
  return textAfter('', max)
}

/** Text of at most `max` code points after a prefix that it may have. */
export function textAfter(prefix: string, max: number): z.ZodMiniString<string> {
  return string.check(
    z.refine((value) => isAtMost(value.startsWith(prefix) ? value.slice(prefix.length) : value, max), {
      message: `is too long (limit: ${max} characters)`,
    }),
  )
}

function isAtMost(value: string, max: number): boolean {
  // No code point has more than two units.
  return value.length <= max || (value.length <= 2 * max && codePoints(value) <= max)
}

/** The token of a link that was sent or printed, of which nothing else is looked at when it is longer. */
export const linkToken = text(100)

/** An address for e-mail, of which none is longer. */
export const mailAddress = text(254)

export function codePoints(value: string): number {
  let count = 0
  for (const _ of value) count += 1
  return count
}
