import { isDeepStrictEqual } from 'node:util'
import { everyone, nobody, type Audience } from '../../kernel/audience.ts'
import type { Input } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import { requireNoNewcomerLinks } from '../messages/queries/newcomers.ts'
import { servicesOf } from '../bots/queries.ts'
import type { UserRow } from '../users/queries/index.ts'
import type * as contract from './contract.ts'
import {
  botCommandsRemoved,
  botCommandsUpdated,
  ORGANIZATION_COMMAND_LIMIT,
  sortCommands,
  type DeclaredCommand,
} from './contract.ts'
import { botWithCommand, commandsOf, commandsProjection, countCommands } from './queries.ts'
import { requireValidCommands, requireCommandableBot } from './rules.ts'

const CLIENTS_WITH_COMMANDS: Audience = { ...everyone, clients: { capability: 'bot_commands', has: true } }

const DELETE_COMMANDS = `
  delete from bot_commands where organization_id = $1 and (bot_id = $2 or name = any($3::text[]))`

const ADD_COMMANDS = `
  insert into bot_commands (organization_id, bot_id, name, description, argument_hint)
  select $1, $2, name, description, argument_hint
  from unnest($3::text[], $4::text[], $5::text[]) as given (name, description, argument_hint)`

export async function updateCommandsOfBot(
  tx: ActorTx,
  input: Input<typeof contract.updateCommandsOfBot>,
): Promise<Record<string, never>> {
  const bot = requireCommandableBot(tx.organization, tx.actor, input.bot_id)
  const commands = sortCommands(input.commands.map(trimCommand))
  requireValidCommands(commands)
  const before = commandsOf(tx.organization, bot.id)
  if (isDeepStrictEqual(commands, before)) return {}
  const texts = commands.flatMap(({ description, argument_hint: hint }) => [description, hint])
  await requireNoNewcomerLinks(tx, tx.actor, texts)
  const losers = deactivatedBotsWithCommands(tx, bot, commands)
  const count = countCommands(tx.organization) - before.length - losers.length + commands.length
  if (count > ORGANIZATION_COMMAND_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `Bots can have at most ${ORGANIZATION_COMMAND_LIMIT.most} commands in total.`)
  }
  const names = commands.map(({ name }) => name)
  await tx.db.rows('delete_bot_commands', DELETE_COMMANDS, [tx.organizationId, bot.id, names])
  await tx.db.rows('add_bot_commands', ADD_COMMANDS, [
    tx.organizationId,
    bot.id,
    names,
    commands.map(({ description }) => description),
    commands.map(({ argument_hint: hint }) => hint),
  ])
  for (const { id: botId } of new Set(losers)) {
    const left = commandsOf(tx.organization, botId).filter(({ name }) => !names.includes(name))
    tx.change(commandsProjection, { botId, commands: left })
    tx.emit(botCommandsUpdated, { bot_id: botId, commands: left }, nobody)
  }
  tx.change(commandsProjection, { botId: bot.id, commands })
  // Emitted even if no client receives the event, because the audit log records it.
  const audience = (await areCommandsAvailable(tx, bot)) ? CLIENTS_WITH_COMMANDS : nobody
  tx.emit(botCommandsUpdated, { bot_id: bot.id, commands }, audience)
  return {}
}

function trimCommand({ name, description, argument_hint: hint }: DeclaredCommand): DeclaredCommand {
  return { name, description: description.trim(), argument_hint: hint.trim() }
}

/** Returns other, deactivated bots that have some of these commands. @throws ApiError if an active bot has one */
function deactivatedBotsWithCommands(tx: Tx, bot: UserRow, commands: readonly DeclaredCommand[]): UserRow[] {
  return commands.flatMap(({ name }) => {
    const holder = botWithCommand(tx.organization, name)
    if (holder === undefined || holder.id === bot.id) return []
    if (holder.isActive) throw new ApiError('BAD_REQUEST', `Another bot already has the command /${name}.`)
    return [holder]
  })
}

/** Call this after a bot was deactivated, reactivated, paused, or resumed. */
export async function emitCommandsAvailability(tx: Tx, bot: UserRow): Promise<void> {
  const commands = commandsOf(tx.organization, bot.id)
  if (commands.length === 0) return
  if (await areCommandsAvailable(tx, bot)) {
    tx.emit(botCommandsUpdated, { bot_id: bot.id, commands: [...commands] }, CLIENTS_WITH_COMMANDS)
  } else {
    tx.emit(botCommandsRemoved, { bot_id: bot.id }, CLIENTS_WITH_COMMANDS)
  }
}

async function areCommandsAvailable(tx: Tx, bot: UserRow): Promise<boolean> {
  if (!bot.isActive) return false
  return (await servicesOf(tx.db, tx.organizationId, [bot.id])).get(bot.id)?.isPaused === false
}
