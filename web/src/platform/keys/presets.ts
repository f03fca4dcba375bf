import { keysOf } from '@parley/server/kernel/keys'
/** Differences from the default, by ID of a command or message action. */
type Preset = Readonly<Record<string, readonly string[]>>

/** `Ctrl` means the command key on a Mac. */
export const PRESETS = {
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
    'messageEdits.delete': ['Delete'],
  },
  vim: {
    'palette.open': ['Ctrl+k', ':'],
    'go.inbox': ['Shift+i'],
    'composer.reply': ['i'],
    'composer.replyTo': ['i'],
    undo: ['u', 'Ctrl+z'],
    'messageEdits.copy': ['y'],
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

export type PresetName = keyof typeof PRESETS

export const PRESET_NAMES: readonly PresetName[] = keysOf(PRESETS)

export function presetKeys(name: PresetName, id: string): readonly string[] | undefined {
  const preset: Preset = PRESETS[name]
  return preset[id]
}
