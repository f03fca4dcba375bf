import { preference, preferredFlag, preferredOneOf } from '../preferences.ts'
import { PRESET_NAMES, presetKeys } from './presets.ts'

type OwnKeys = Readonly<Record<string, readonly string[]>>

const NONE: OwnKeys = {}

export const preset = preferredOneOf('keys.preset', PRESET_NAMES, 'parley')

/** Keys that people gave to commands and message actions themselves, by the ids of these. */
export const ownKeys = preference('keys.own', NONE, isOwnKeys)

/** Whether letters and signs work without Ctrl or Alt: who speaks to the browser would press them by accident. */
export const hasSingleKeys = preferredFlag('keys.single', true)

function isOwnKeys(kept: unknown): kept is OwnKeys {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    Object.values(kept).every((keys) => Array.isArray(keys) && keys.every((key) => typeof key === 'string'))
  )
}

/** What has keys: a command, or an action of messages. */
export interface Keyed {
  readonly id: string
  readonly keys?: readonly string[]
}

/** The key combinations that run something now. */
export function keysOf(keyed: Keyed): readonly string[] {
  const keys = ownKeys.read()[keyed.id] ?? usualKeysOf(keyed)
  return hasSingleKeys.read() ? keys : keys.filter((key) => !isSingle(key))
}

/** The combinations that it has where the person chose none. */
export function usualKeysOf({ id, keys = [] }: Keyed): readonly string[] {
  return presetKeys(preset.read(), id) ?? keys
}

/** Whether a combination is a letter or a sign that could as well be written. */
function isSingle(combination: string): boolean {
  return /^(Shift\+)?.$/u.test(combination)
}
