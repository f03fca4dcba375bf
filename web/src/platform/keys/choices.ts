import { preference, preferredFlag, preferredOneOf } from '../preferences.ts'
import { PRESET_NAMES, presetKeys } from './presets.ts'

type OwnKeys = Readonly<Record<string, readonly string[]>>

const NONE: OwnKeys = {}

export const preset = preferredOneOf('keys.preset', PRESET_NAMES, 'parley')

/** Custom keys for commands and message actions, by ID. */
export const ownKeys = preference('keys.own', NONE, isOwnKeys)

/** Whether keys without Ctrl or Alt work. Speech input would trigger them by accident. */
export const hasSingleKeys = preferredFlag('keys.single', true)

function isOwnKeys(kept: unknown): kept is OwnKeys {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    Object.values(kept).every((keys) => Array.isArray(keys) && keys.every((key) => typeof key === 'string'))
  )
}

export interface KeyedItem {
  readonly id: string
  readonly keys?: readonly string[]
}

export function keysOf(keyed: KeyedItem): readonly string[] {
  const keys = ownKeys.read()[keyed.id] ?? usualKeysOf(keyed)
  return hasSingleKeys.read() ? keys : keys.filter((key) => !isSingle(key))
}

/** Key combinations before customization. */
export function usualKeysOf({ id, keys = [] }: KeyedItem): readonly string[] {
  return presetKeys(preset.read(), id) ?? keys
}

/** Whether a combination is a single character that could be typed text. */
function isSingle(combination: string): boolean {
  return /^(Shift\+)?.$/u.test(combination)
}
