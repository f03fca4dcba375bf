import * as z from 'zod/mini'

/*
 * Parts of the forms of exports. Whatever else is there is left alone, and what is there in another form is as if it were missing.
 */

/**
 * The items of a list of which the form is known.
 * @param hear is called for each of the others, and for what is no list
 */
export function itemsIn<Form extends z.ZodMiniType>(
  given: unknown,
  form: Form,
  hear: (item: unknown) => void,
): z.output<Form>[] {
  if (given === undefined || given === null) return []
  return (Array.isArray(given) ? (given as unknown[]) : [given]).flatMap((item) => {
    const parsed = form.safeParse(item)
    if (parsed.success && Array.isArray(given)) return [parsed.data]
    hear(item)
    return []
  })
}

export const orMissing = <Item extends z.ZodMiniType>(item: Item) => z.optional(z.catch(z.optional(item), undefined))
export const string = orMissing(z.string())
export const flag = orMissing(z.boolean())
export const number = orMissing(z.number())
/** Is read by `itemsIn`, so that one item in another form does not hide the others. */
export const list = z.optional(z.unknown())
