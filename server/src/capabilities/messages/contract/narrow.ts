import * as z from 'zod/mini'
import { boolean, ids, integer, string } from '../../../kernel/schemas.ts'

/** A condition of a narrow as clients write it: an object or a pair. */
export const narrowTerm = z.union([
  z.object({
    operator: string,
    operand: z.union([string, integer, ids]),
    negated: z._default(boolean, false),
  }),
  z.pipe(
    z.tuple([string, string]),
    z.transform(([operator, operand]) => ({ operator, operand, negated: false })),
  ),
])

/** Each condition is evaluated for every message. */
export const MAX_NARROW_TERMS = 50

export const narrow = z.array(narrowTerm).check(z.maxLength(MAX_NARROW_TERMS))
export type NarrowTerm = z.output<typeof narrowTerm>
