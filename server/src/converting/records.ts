import * as z from 'zod/mini'

/*
 * Parts of the forms of exports. Whatever else is there is left alone, and what is there in another form is as if it were missing.
 */

export const orMissing = <Item extends z.ZodMiniType>(item: Item) => z.optional(z.catch(z.optional(item), undefined))
export const string = orMissing(z.string())
export const flag = orMissing(z.boolean())
export const number = orMissing(z.number())
export const strings = orMissing(z.array(z.string()))
