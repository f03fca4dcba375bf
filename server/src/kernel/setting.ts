import * as z from 'zod/mini'
import { boolean } from './schemas.ts'

export interface Setting<Value, Given = Value> {
  readonly type: z.ZodMiniType<Value, Given>
  readonly byDefault: Value
}

export type Settings = Readonly<Record<string, Setting<unknown>>>

export type ValueOf<All extends Settings, Name extends keyof All> = z.output<All[Name]['type']>

export function flagSetting(byDefault: boolean): Setting<boolean> {
  return { type: boolean, byDefault }
}

export function choiceSetting<const Value extends string | number>(
  values: readonly Value[],
  byDefault: NoInfer<Value>,
): Setting<Value> {
  // A union of literals parses parameters as numbers; one literal with many values would not.
  return { type: z.union(values.map((value) => z.literal(value))), byDefault }
}

export function integerSetting(min: number, max: number, byDefault: number): Setting<number> {
  return { type: z.int().check(z.minimum(min), z.maximum(max)), byDefault }
}

export function defaultsOf<All extends Settings>(settings: All): { [Name in keyof All]: All[Name]['byDefault'] } {
  const entries = Object.entries(settings).map(([name, { byDefault }]) => [name, byDefault] as const)
  // Safe: one entry per setting, with its type.
  return Object.fromEntries(entries) as { [Name in keyof All]: All[Name]['byDefault'] }
}

/** Optional form of each type, created once so that parameters of equal type share one schema. */
const optionalTypes = new WeakMap<z.ZodMiniType, z.ZodMiniOptional>()

export function parametersOf<All extends Settings>(
  settings: All,
): { [Name in keyof All]: z.ZodMiniOptional<All[Name]['type']> } {
  const entries = Object.entries(settings).map(([name, { type }]) => {
    const optional = optionalTypes.get(type) ?? z.optional(type)
    optionalTypes.set(type, optional)
    return [name, optional] as const
  })
  // Safe: one entry per setting, with its type.
  return Object.fromEntries(entries) as { [Name in keyof All]: z.ZodMiniOptional<All[Name]['type']> }
}

/** Returns the values that are valid for their setting, and the names of the other values. */
export function separateInvalidSettings(
  values: Readonly<Record<string, unknown>>,
  settings: Settings,
): { readonly kept: Record<string, unknown>; readonly dropped: readonly string[] } {
  const kept: Record<string, unknown> = {}
  const dropped: string[] = []
  for (const [name, value] of Object.entries(values)) {
    const setting = Object.hasOwn(settings, name) ? settings[name] : undefined
    const parsed = setting?.type.safeParse(value)
    // A stored null means unlimited, which requests send as 'unlimited'.
    if (parsed?.success === true) kept[name] = parsed.data
    else if (value === null && setting?.type.safeParse('unlimited').success === true) kept[name] = null
    else dropped.push(name)
  }
  return { kept, dropped }
}

export function mergeSettings(
  settings: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const kept = Object.entries({ ...settings, ...values }).filter(([name, value]) => value !== defaults[name])
  return Object.fromEntries(kept)
}
