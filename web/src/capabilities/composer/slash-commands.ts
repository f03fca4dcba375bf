import { tl } from '../../kernel/later-texts.ts'
import { keyLabel } from '../../platform/keys/keys.ts'
import { sendsOnEnter } from './state.ts'

interface SlashCommand {
  readonly name: string
  readonly detail: string
  /** Explains how to continue after the first line. */
  readonly lines?: (key: string) => string
}

/** Commands that the server recognizes at the start of a message. */
export function slashCommands(): readonly SlashCommand[] {
  const { poll, todo, me, optionLines, taskLines } = tl().slashCommands
  return [
    { name: 'poll', detail: poll, lines: optionLines },
    { name: 'todo', detail: todo, lines: taskLines },
    { name: 'me', detail: me },
  ]
}

export function commandsStartingWith(typed: string): readonly SlashCommand[] {
  return slashCommands().filter(({ name }) => name.startsWith(typed.toLowerCase()))
}

export interface CommandNote {
  readonly key: string
  readonly text: string
  /** Command that the text can start with instead. */
  readonly correction?: { readonly name: string; readonly replacedCharacters: number }
}

const COMMAND = /^(\s*)\/([\p{L}\p{Nd}_-]+)(?=\s|$)/u
/** Command names with this many letters are not suggested for similar words. */
const SHORT_NAME_LETTERS = 2

/** Explains an unknown or misplaced command, which the server leaves as text, and how to write further lines. */
export function commandNoteFor(text: string): CommandNote | undefined {
  const [all = '', space = '', typed = ''] = COMMAND.exec(text) ?? []
  if (typed === '') return undefined
  const command = slashCommands().find(({ name }) => name === typed)
  if (command !== undefined && space === '') {
    const { lines } = command
    if (lines === undefined || text.trimEnd().includes('\n')) return undefined
    return { key: `lines-${typed}`, text: lines(keyLabel(sendsOnEnter() ? 'Shift+Enter' : 'Enter')) }
  }
  // Suggestions for the word are open.
  if (all === text && space === '' && commandsStartingWith(typed).length > 0) return undefined
  if (command === undefined && space !== '') return undefined
  const similar = command ?? similarCommand(typed)
  return {
    key: 'command',
    text: command === undefined ? tl().slashCommands.unknown(typed) : tl().slashCommands.misplaced(typed),
    ...(similar && { correction: { name: similar.name, replacedCharacters: all.length } }),
  }
}

/** Finds a command for `/Poll`, `/pol`, `/polls`, or `/to-do`. */
function similarCommand(typed: string): SlashCommand | undefined {
  const word = typed.toLowerCase().replaceAll(/[_-]/g, '')
  return slashCommands().find(({ name }) => {
    if (name.length <= SHORT_NAME_LETTERS) return name === word
    return Math.abs(name.length - word.length) <= 1 && (name.startsWith(word) || word.startsWith(name))
  })
}
