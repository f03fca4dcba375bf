import { preference, preferredFlag, preferredOneOf } from '../preferences.ts'
import { PRESET_NAMES, presetKeys } from './presets.ts'

type OwnKeys = Readonly<Record<string, readonly string[]>>

const NO_OWN_KEYS: OwnKeys = {}

export const preset = preferredOneOf('keys.preset', PRESET_NAMES, 'parley')

/** The user's key combinations, by ID of a command or message action. */
export const ownKeys = preference('keys.own', NO_OWN_KEYS, isOwnKeys)

/** Whether single-key shortcuts work. Speech input could trigger them by accident. */
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
  const keys = ownKeys.read()[keyed.id] ?? defaultKeysOf(keyed)
  return hasSingleKeys.read() ? keys : keys.filter((key) => !isSingleKey(key))
}

export function defaultKeysOf({ id, keys = [] }: KeyedItem): readonly string[] {
  return presetKeys(preset.read(), id) ?? keys
}

function isSingleKey(combination: string): boolean {
  return /^(Shift\+)?.$/u.test(combination)
}
