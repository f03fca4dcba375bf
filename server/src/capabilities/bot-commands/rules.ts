import { isBlank } from '../../kernel/characters.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Member } from '../groups/rules.ts'
import { BOT_TYPE } from '../users/contract/index.ts'
import type { UserRow } from '../users/queries/index.ts'
import { managedBotById, mayManageBot } from '../users/rules/bots.ts'
import { BUILT_IN_COMMANDS, COMMAND_LIMIT, MAX_COMMAND_NAME_LENGTH, type DeclaredCommand } from './contract.ts'

const COMMAND_NAME = `[a-z0-9_-]{1,${MAX_COMMAND_NAME_LENGTH}}`
const COMMAND_NAME_PATTERN = new RegExp(`^${COMMAND_NAME}$`)
const COMMAND_PATTERN = new RegExp(`^/(${COMMAND_NAME})(?!\\S)`)

export function isCommandName(name: unknown): name is string {
  return typeof name === 'string' && COMMAND_NAME_PATTERN.test(name) && !BUILT_IN_COMMANDS.includes(name)
}

/** Returns the name of the command that a message starts with, whether or not a bot declared it. */
export function commandNameIn(content: string): string | undefined {
  return content.startsWith('/') ? COMMAND_PATTERN.exec(content)?.[1] : undefined
}

/** The bot itself can manage its commands, so that a program can declare them when it starts. */
export function requireCommandableBot(organization: OrganizationState, actor: Member, botId: number): UserRow {
  const bot = managedBotById(
    organization,
    actor,
    botId,
    (member, one) => one.id === member.userId || mayManageBot(member, one),
  )
  if (bot.botType === BOT_TYPE.outgoingWebhook) return bot
  throw new ApiError('BAD_REQUEST', 'Only outgoing webhook bots can have commands.')
}

/** @throws ApiError BAD_REQUEST */
export function requireValidCommands(commands: readonly DeclaredCommand[]): void {
  if (commands.length > COMMAND_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `A bot can have at most ${COMMAND_LIMIT.most} commands.`)
  }
  const names = new Set<string>()
  for (const { name, description } of commands) {
    if (BUILT_IN_COMMANDS.includes(name)) throw new ApiError('BAD_REQUEST', `The command /${name} is built in.`)
    if (!COMMAND_NAME_PATTERN.test(name)) {
      throw new ApiError(
        'BAD_REQUEST',
        `Command names must contain only lowercase English letters, digits, dashes and underscores, and have 1 to ${MAX_COMMAND_NAME_LENGTH} characters.`,
      )
    }
    if (names.has(name)) throw new ApiError('BAD_REQUEST', `The command /${name} is listed twice.`)
    names.add(name)
    if (isBlank(description)) throw new ApiError('BAD_REQUEST', `The command /${name} has no description.`)
  }
}
