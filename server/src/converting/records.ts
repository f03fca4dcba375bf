import * as z from 'zod/mini'

/* Unknown fields are ignored, and invalid values count as missing. */

/** `hear` is called for each invalid item, or for a value that is not a list. */
export function itemsIn<Form extends z.ZodMiniType>(
  given: unknown,
  form: Form,
  hear: (item: unknown) => void,
): z.output<Form>[] {
  if (given === undefined || given === null) return []
  const items: readonly unknown[] = Array.isArray(given) ? given : [given]
  return items.flatMap((item) => {
    const parsed = form.safeParse(item)
    if (parsed.success && Array.isArray(given)) return [parsed.data]
    hear(item)
    return []
  })
}

export const optionalOrInvalid = <Item extends z.ZodMiniType>(item: Item) =>
  z.optional(z.catch(z.optional(item), undefined))
export const string = optionalOrInvalid(z.string())
export const flag = optionalOrInvalid(z.boolean())
export const number = optionalOrInvalid(z.number())
/** One invalid item must not hide the others. */
export const list = z.optional(z.unknown())
