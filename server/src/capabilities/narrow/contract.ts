import { z } from 'zod'
import { id } from '../../kernel/parameters.ts'

/** One condition of a narrow, as clients write it: an object or a pair. */
export const narrowTerm = z.union([
  z.object({
    operator: z.string(),
    operand: z.union([z.string(), z.int(), z.array(id)]),
    negated: z.boolean().default(false),
  }),
  z.tuple([z.string(), z.string()]).transform(([operator, operand]) => ({ operator, operand, negated: false })),
])

/** Conditions of one narrow. Each is looked at for every message. */
export const MAX_NARROW_TERMS = 50

/** Every condition must hold. */
export const narrow = z.array(narrowTerm).max(MAX_NARROW_TERMS)
export type NarrowTerm = z.output<typeof narrowTerm>
