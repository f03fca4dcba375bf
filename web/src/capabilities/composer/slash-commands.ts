import type { IconName } from '../../kernel/icons.ts'
import type { Conversation } from '../../kernel/route.ts'
import { MAX_RANKED_ITEMS } from '../../kernel/ranking.ts'
import { tl } from '../../kernel/later-texts.ts'
import { store } from '../../platform/client.ts'
import { keyLabel } from '../../platform/keys/keys.ts'
import { channelById } from '../channels/state.ts'
import { subscribersOf } from '../channels/subscribers.ts'
import { GUEST_ROLE, userById, userName } from '../users/state.ts'
import { sendsOnEnter } from './state.ts'

export interface SlashCommand {
  readonly name: string
  readonly detail: string
  /** Explains how to continue after the first line. */
  readonly lines?: (key: string) => string
  readonly icon?: IconName
  readonly botId?: number
  readonly hint?: string
}

/** Commands that the server recognizes at the start of a message. */
function builtInCommands(): readonly SlashCommand[] {
  const { poll, todo, me, optionLines, taskLines } = tl().slashCommands
  return [
    { name: 'poll', icon: 'poll', detail: poll, lines: optionLines },
    { name: 'todo', icon: 'check', detail: todo, lines: taskLines },
    { name: 'me', icon: 'person', detail: me },
  ]
}

function slashCommands(): readonly SlashCommand[] {
  const declared = store().read('bot_commands') ?? []
  const ofBots = declared.map(({ bot_id: botId, name, description: detail, argument_hint: hint }) => ({
    name,
    detail,
    botId,
    ...(hint !== '' && { hint }),
  }))
  return [...builtInCommands(), ...ofBots]
}

/** Returns commands that can be used in the conversation. Those that start with the typed text come first. */
export function matchingCommands(typed: string, where: Conversation | undefined): readonly SlashCommand[] {
  const query = typed.toLowerCase()
  const usable = slashCommands().filter(({ botId }) => botId === undefined || botReceives(botId, where))
  const starting = usable.filter(({ name }) => name.startsWith(query))
  const containing = usable.filter(({ name }) => !name.startsWith(query) && wordStartsWith(name, query))
  return [...starting, ...containing].slice(0, MAX_RANKED_ITEMS)
}

function wordStartsWith(name: string, query: string): boolean {
  return name.split(/[_-]/).some((word) => word.startsWith(query))
}

/** Whether a bot receives commands there, as far as known: the server tells it only what it can read. */
function botReceives(botId: number, where: Conversation | undefined): boolean {
  if (where === undefined) return true
  if (where.view === 'direct') return where.userIds.includes(botId)
  const channel = channelById(where.channelId)
  if (channel === undefined) return true
  const isOpen = channel.is_web_public || (!channel.invite_only && userById(botId)?.role !== GUEST_ROLE)
  return isOpen || subscribersOf(where.channelId).userIds?.includes(botId) !== false
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

/** Explains an unknown, misplaced, or undelivered command, and how to write further lines. */
export function commandNoteFor(text: string, where: Conversation): CommandNote | undefined {
  const [all = '', space = '', typed = ''] = COMMAND.exec(text) ?? []
  if (typed === '') return undefined
  const command = slashCommands().find(({ name }) => name === typed)
  if (command !== undefined && space === '') return noteForCommand(command, text, where)
  // Suggestions for the word are open.
  if (all === text && space === '' && matchingCommands(typed, where).length > 0) return undefined
  if (command === undefined && space !== '') return undefined
  const similar = command ?? similarCommand(typed)
  return {
    key: 'command',
    text: command === undefined ? tl().slashCommands.unknown(typed) : tl().slashCommands.misplaced(typed),
    ...(similar && { correction: { name: similar.name, replacedCharacters: all.length } }),
  }
}

function noteForCommand(
  { name, lines, botId }: SlashCommand,
  text: string,
  where: Conversation,
): CommandNote | undefined {
  if (botId !== undefined && !botReceives(botId, where))
    return { key: `undelivered-${name}`, text: tl().slashCommands.undelivered(userName(botId), name) }
  if (lines === undefined || text.trimEnd().includes('\n')) return undefined
  return { key: `lines-${name}`, text: lines(keyLabel(sendsOnEnter() ? 'Shift+Enter' : 'Enter')) }
}

/** Finds a command for `/Poll`, `/pol`, `/polls`, or `/to-do`. */
function similarCommand(typed: string): SlashCommand | undefined {
  const word = comparableName(typed)
  return slashCommands().find((command) => {
    const name = comparableName(command.name)
    if (name.length <= SHORT_NAME_LETTERS) return name === word
    return Math.abs(name.length - word.length) <= 1 && (name.startsWith(word) || word.startsWith(name))
  })
}

function comparableName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}
