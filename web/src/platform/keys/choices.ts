import { keysOf as namesOf } from '@parley/server/kernel/keys'
import { preference, preferredFlag, preferredOneOf } from '../preferences.ts'

/** Differences from the default, by ID of a command or message action. */
type Preset = Readonly<Record<string, readonly string[]>>

/** `Ctrl` means the command key on a Mac. */
const PRESETS = {
  parley: {},
  zulip: {
    'go.inbox': ['Shift+i'],
    'composer.reply': ['r', 'Enter'],
    'composer.replyTo': ['r', 'Enter'],
    'messages.open': ['Shift+s'],
    'inbox.mute': ['Shift+m'],
    'triage.mute': ['Shift+m'],
    'flags.readTo': [],
  },
  slack: {
    'go.inbox': ['Ctrl+Shift+a'],
    'go.recent': ['Ctrl+Shift+k'],
    'go.writing': ['Ctrl+Shift+d'],
    'go.feed': [],
    'go.mentions': ['Ctrl+Shift+m'],
    'go.starred': ['Ctrl+Shift+s'],
    'go.nextUnread': [],
    'messages.down': ['ArrowDown'],
    'messages.up': ['ArrowUp'],
    'keys.help': ['Ctrl+/'],
    'composer.reply': ['t'],
    'composer.replyTo': ['t'],
    'messageEdits.forward': ['f'],
    'reactions.add': ['r'],
    'flags.star': ['a'],
    'flags.unread': ['u'],
    'flags.readTo': [],
    'reminders.add': ['m'],
    'inbox.remind': ['m'],
    'inbox.mute': ['Shift+m'],
    'inbox.undo': [],
    'triage.later': ['m'],
    'triage.mute': ['Shift+m'],
    'messageEdits.move': [],
  },
  vim: {
    'palette.open': ['Ctrl+k', ':'],
    'go.inbox': ['Shift+i'],
    'composer.reply': ['i'],
    'composer.replyTo': ['i'],
    undo: ['u', 'Ctrl+z'],
    'messageEdits.copy': ['y'],
    'composer.link': ['Shift+y'],
    'messageEdits.edit': ['c'],
    'messageEdits.delete': ['x'],
    'reactions.add': ['r'],
    'flags.star': ['m'],
    'messageEdits.move': ['Shift+m'],
    'messages.last': ['End', 'Shift+g'],
    'reminders.add': ['z'],
    'inbox.read': ['x'],
    'inbox.mute': ['Shift+m'],
    'inbox.remind': ['z'],
    'triage.done': ['x'],
    'triage.mute': ['Shift+m'],
    'triage.later': ['z'],
    'triage.skip': ['l', 'n', 'ArrowRight'],
    'triage.back': ['h', 'ArrowLeft'],
  },
} as const satisfies Readonly<Record<string, Preset>>

type PresetName = keyof typeof PRESETS

export const PRESET_NAMES: readonly PresetName[] = namesOf(PRESETS)

function presetKeys(name: PresetName, id: string): readonly string[] | undefined {
  const keys: Preset = PRESETS[name]
  return keys[id]
}

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
