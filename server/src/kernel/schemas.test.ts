import { expect, it } from 'vitest'
import { z } from 'zod'
import * as zod from 'zod/v4'

it('makes a schema when it is looked into, and once', () => {
  let made = 0
  const item = z.string().transform((value) => value.length)
  const list = z.object({
    get items() {
      made += 1
      return z.array(item)
    },
  })
  const changed = list.extend({ more: z.boolean().default(false) }).optional()
  expect(made).toBe(0)
  expect(changed.parse({ items: ['one', 'three'] })).toEqual({ items: [3, 5], more: false })
  const before = made
  expect(changed.parse(undefined)).toBeUndefined()
  expect(list.parse({ items: [] })).toEqual({ items: [] })
  expect(made).toBe(before)
})

it('makes what zod makes, of what zod makes', () => {
  const shape = { id: z.int().min(1), kind: z.enum(['a', 'b']).nullable(), tags: z.record(z.string(), z.literal(1)) }
  const noted = z.strictObject(shape)
  const real = zod.strictObject({
    id: zod.int().min(1),
    kind: zod.enum(['a', 'b']).nullable(),
    tags: zod.record(zod.string(), zod.literal(1)),
  })
  expect(z.toJSONSchema(noted)).toEqual(zod.toJSONSchema(real))
  for (const value of [{ id: 1, kind: null, tags: { x: 1 } }, { id: 0, kind: 'c', tags: {}, other: 1 }, 'no object']) {
    expect(noted.safeParse(value).error?.issues).toEqual(real.safeParse(value).error?.issues)
  }
  expect(shape.id).toBeInstanceOf(zod.ZodNumber)
  expect(shape.kind).not.toBeInstanceOf(zod.ZodNumber)
  expect(noted.shape.id).toBeInstanceOf(zod.ZodNumber)
})
