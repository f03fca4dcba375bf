import type { Input, Output } from '../../kernel/endpoint.ts'
import type { OrganizationState, Projection } from '../../kernel/projection.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import { servicesOf } from '../bots/queries.ts'
import { userById, type UserRow } from '../users/queries/index.ts'
import type * as contract from './contract.ts'
import { sortCommands, type BotCommand, type DeclaredCommand } from './contract.ts'
import { requireCommandableBot, commandNameIn } from './rules.ts'

interface CommandsState {
  /** Each bot's commands, sorted by name. */
  readonly byBot: Map<number, readonly DeclaredCommand[]>
  /** Bot IDs by command name. */
  readonly botByName: Map<string, number>
}

interface CommandsChange {
  readonly botId: number
  readonly commands: readonly DeclaredCommand[]
}

/** Kept in memory, because every message that starts with a slash is looked up. */
export const commandsProjection: Projection<CommandsState, CommandsChange> = {
  name: 'bot commands',
  takesRights: () => false,
  empty: () => ({ byBot: new Map(), botByName: new Map() }),
  async load(state, db, organizationId) {
    const rows = await db
      .selectFrom('bot_commands')
      .select(['bot_id', 'name', 'description', 'argument_hint'])
      .where('organization_id', '=', organizationId)
      .execute()
    for (const { bot_id: botId, ...command } of rows) {
      const commands = sortCommands([...(state.byBot.get(botId) ?? []), command])
      commandsProjection.apply(state, { botId, commands }, 0)
    }
  },
  apply({ byBot, botByName }, { botId, commands }) {
    for (const { name } of byBot.get(botId) ?? []) if (botByName.get(name) === botId) botByName.delete(name)
    if (commands.length === 0) byBot.delete(botId)
    else byBot.set(botId, commands)
    for (const { name } of commands) botByName.set(name, botId)
  },
}

export function commandsOf(organization: OrganizationState, botId: number): readonly DeclaredCommand[] {
  return organization.of(commandsProjection).byBot.get(botId) ?? []
}

export function botWithCommand(organization: OrganizationState, name: string): UserRow | undefined {
  const botId = organization.of(commandsProjection).botByName.get(name)
  return botId === undefined ? undefined : userById(organization, botId)
}

/** Returns the bot whose command a message starts with. The bot can be deactivated. */
export function botForCommandIn(organization: OrganizationState, content: string): UserRow | undefined {
  const name = commandNameIn(content)
  return name === undefined ? undefined : botWithCommand(organization, name)
}

export function countCommands(organization: OrganizationState): number {
  return organization.of(commandsProjection).botByName.size
}

export function getCommandsOfBot(
  { organization, actor }: Reader,
  { bot_id: botId }: Input<typeof contract.getCommandsOfBot>,
): Output<typeof contract.getCommandsOfBot> {
  return { commands: [...commandsOf(organization, requireCommandableBot(organization, actor, botId).id)] }
}

export async function getBotCommands({ organization, db }: Reader): Promise<Output<typeof contract.getBotCommands>> {
  return { commands: await availableCommands(organization, db) }
}

export async function commandsSnapshot(db: Db, { organization, form }: Viewer): Promise<Record<string, unknown>> {
  return form.capabilities.bot_commands ? { bot_commands: await availableCommands(organization, db) } : {}
}

/** Even guests who cannot see all people can see all bots, and thus their commands. */
async function availableCommands(organization: OrganizationState, db: Db): Promise<BotCommand[]> {
  const active = [...organization.of(commandsProjection).byBot.keys()].filter(
    (botId) => userById(organization, botId)?.isActive === true,
  )
  const services = await servicesOf(db, organization.id, active)
  const available = active.filter((botId) => services.get(botId)?.isPaused === false)
  return sortCommands(
    available.flatMap((bot_id) => commandsOf(organization, bot_id).map((command) => ({ bot_id, ...command }))),
  )
}
