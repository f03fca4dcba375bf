import * as z from 'zod/mini'
import { boolean } from './schemas.ts'

/** A setting: the type of its values, as they are and as they are given, and its value where none was chosen. */
export interface Setting<Value, Given = Value> {
  readonly type: z.ZodMiniType<Value, Given>
  readonly byDefault: Value
}

/** Several settings by name, e.g. those of a user. */
export type Settings = Readonly<Record<string, Setting<unknown>>>

/** The value that a setting of this name has. */
export type ValueOf<All extends Settings, Name extends keyof All> = z.output<All[Name]['type']>

export function flag(byDefault: boolean): Setting<boolean> {
  return { type: boolean, byDefault }
}

export function oneOf<const Value extends string | number>(
  values: readonly Value[],
  byDefault: NoInfer<Value>,
): Setting<Value> {
  // Unlike one literal of many values, a union of them is read as a number where it is one.
  return { type: z.union(values.map((value) => z.literal(value))), byDefault }
}

export function numberOf(min: number, max: number, byDefault: number): Setting<number> {
  return { type: z.int().check(z.minimum(min), z.maximum(max)), byDefault }
}

/** What each of the settings is by default. */
export function defaultsOf<All extends Settings>(settings: All): { [Name in keyof All]: All[Name]['byDefault'] } {
  const entries = Object.entries(settings).map(([name, { byDefault }]) => [name, byDefault] as const)
  // One entry for each setting, of its type.
  return Object.fromEntries(entries) as { [Name in keyof All]: All[Name]['byDefault'] }
}

/** Types are few and settings many: each type is made optional once, so that it is known to be the same. */
const optionals = new WeakMap<z.ZodMiniType, z.ZodMiniOptional>()

/** The settings as parameters of a request that changes any of them. */
export function parametersOf<All extends Settings>(
  settings: All,
): { [Name in keyof All]: z.ZodMiniOptional<All[Name]['type']> } {
  const entries = Object.entries(settings).map(([name, { type }]) => {
    const optional = optionals.get(type) ?? z.optional(type)
    optionals.set(type, optional)
    return [name, optional] as const
  })
  // One entry for each setting, of its type.
  return Object.fromEntries(entries) as { [Name in keyof All]: z.ZodMiniOptional<All[Name]['type']> }
}

/** Those of some values that settings of these names can have, and the names of the others. */
export function fittingSettings(
  values: Readonly<Record<string, unknown>>,
  settings: Settings,
): { readonly kept: Record<string, unknown>; readonly dropped: readonly string[] } {
  const kept: Record<string, unknown> = {}
  const dropped: string[] = []
  for (const [name, value] of Object.entries(values)) {
    const setting = Object.hasOwn(settings, name) ? settings[name] : undefined
    const parsed = setting?.type.safeParse(value)
    // Null stands for what has no limit, which is given in other words.
    if (parsed?.success === true) kept[name] = parsed.data
    else if (value === null && setting?.type.safeParse('unlimited').success === true) kept[name] = null
    else dropped.push(name)
  }
  return { kept, dropped }
}

/** Settings with these values instead, of which only what differs from the defaults is kept. */
export function withValues(
  settings: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const kept = Object.entries({ ...settings, ...values }).filter(([name, value]) => value !== defaults[name])
  return Object.fromEntries(kept)
}
