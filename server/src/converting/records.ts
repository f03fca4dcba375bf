import * as z from 'zod/mini'
import { isRecord } from '../kernel/keys.ts'

/* Schemas of exported records. Unknown fields are ignored, and invalid values count as missing. */

/** Returns the valid items. Calls `onInvalid` for each invalid item, or for a value that is not a list. */
export function itemsIn<Form extends z.ZodMiniType>(
  given: unknown,
  form: Form,
  onInvalid: (item: unknown) => void,
): z.output<Form>[] {
  if (given === undefined || given === null) return []
  const items: readonly unknown[] = Array.isArray(given) ? given : [given]
  return items.flatMap((item) => {
    const parsed = form.safeParse(item)
    if (parsed.success && Array.isArray(given)) return [parsed.data]
    onInvalid(item)
    return []
  })
}

export const optionalOrInvalid = <Item extends z.ZodMiniType>(item: Item) =>
  z.optional(z.catch(z.optional(item), undefined))
export const string = optionalOrInvalid(z.string())
export const flag = optionalOrInvalid(z.boolean())
export const number = optionalOrInvalid(z.number())
/** List of unchecked items, because one invalid item must not hide the others. */
export const list = z.optional(z.unknown())

/** Services allow at most 65,535 characters, which markup can lengthen. */
export const MAX_TEXT_CHARACTERS = 400_000
const MAX_RECORD_CHARACTERS = 1_000_000
/** Strings up to this length are never truncated: IDs that follow overlong strings must stay whole. */
const MAX_ID_CHARACTERS = 30
export const MAX_LIST_ITEMS = 10_000
const MAX_RECORD_VALUES = 100_000
const LONG_TEXTS_REPORT = `texts in messages over ${MAX_TEXT_CHARACTERS.toLocaleString('en')} characters: truncated`
const LONG_LISTS_REPORT = `items of lists in messages over ${MAX_LIST_ITEMS.toLocaleString('en')} items: omitted`

export function limitText(text: string, onInvalid: (what: string) => void, most = MAX_TEXT_CHARACTERS): string {
  if (text.length <= most) return text
  onInvalid(LONG_TEXTS_REPORT)
  return text.slice(0, most)
}

/** Truncates the strings and lists of a message, so that one message cannot exhaust time and memory. */
export function limitRecord<Item extends object>(given: Item, onInvalid: (what: string, count?: number) => void): Item {
  let [characters, values] = [MAX_RECORD_CHARACTERS, MAX_RECORD_VALUES]
  const kept = <Value>(items: readonly Value[]): readonly Value[] => {
    const first = items.slice(0, Math.min(MAX_LIST_ITEMS, values))
    values -= first.length
    if (first.length < items.length) onInvalid(LONG_LISTS_REPORT, items.length - first.length)
    return first
  }
  const limited = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const text = limitText(value, onInvalid, Math.min(MAX_TEXT_CHARACTERS, Math.max(characters, MAX_ID_CHARACTERS)))
      characters -= text.length
      return text
    }
    if (Array.isArray(value)) return kept<unknown>(value).map(limited)
    if (!isRecord(value)) return value
    return Object.fromEntries(kept(Object.entries(value)).map(([name, item]) => [name, limited(item)]))
  }
  // Safe: shorter strings and lists keep their types.
  return limited(given) as Item
}
