import { isDeepStrictEqual } from 'node:util'
import type { Role } from '../../../kernel/actor.ts'
import { everyone } from '../../../kernel/audience.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { emitCommandsAvailability } from '../../bot-commands/actions.ts'
import { botAdded, botDeleted, botUpdated } from '../contract.ts'
import type { BotService } from '../../users/contract/bots.ts'
import { userUpdated } from '../../users/contract/index.ts'
import { nonSystemUsers, type UserRow, usersProjection } from '../../users/queries/index.ts'
import { botFields, channelsOfBot, presentBot, presentBots, type LoggedBot, type BotChannels } from '../queries.ts'
import { managersOf, mayManageBot } from '../../users/rules/bots.ts'
import { knownUser } from '../../users/rules/index.ts'
import type { UserChannel } from '../../channels/queries/index.ts'

export function emitNewBot(tx: Tx, bot: UserRow, apiKey: string, services: readonly BotService[]): void {
  tx.emit(botAdded, presentBot(bot, apiKey, services), { users: managersOf(tx.organization, bot) })
}

export function emitBotServices(tx: Tx, bot: UserRow, services: BotService[]): void {
  tx.emit(botUpdated, { bot: { user_id: bot.id, services } }, { users: managersOf(tx.organization, bot) })
}

/** Notifies a bot's managers of a change to the bot, including users who start or stop managing it. */
export async function emitBotChange(tx: Tx, before: UserRow, after: UserRow): Promise<void> {
  if (after.botType === null) return
  if (after.isActive !== before.isActive) await emitCommandsAvailability(tx, after)
  const [managed, manage] = [new Set(managersOf(tx.organization, before)), new Set(managersOf(tx.organization, after))]
  const fields = changedFields(botFields(before), botFields(after))
  const channels = changedFields(channelsOfBot(before), channelsOfBot(after))
  const staying = [...manage].filter((userId) => managed.has(userId))
  if (Object.keys({ ...fields, ...channels }).length > 0 && staying.length > 0) {
    const logged: LoggedBot = { bot: { user_id: after.id, ...fields }, channels }
    tx.emit(botUpdated, logged, { users: staying })
  }
  const losing = [...managed].filter((userId) => !manage.has(userId))
  if (losing.length > 0) tx.emit(botDeleted, { bot: { user_id: after.id } }, { users: losing })
  const gaining = [...manage].filter((userId) => !managed.has(userId))
  if (gaining.length === 0) return
  for (const bot of await presentBots(tx.db, tx.organizationId, [after])) tx.emit(botAdded, bot, { users: gaining })
}

function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const changed: Partial<Fields> = {}
  for (const name in after) if (!isDeepStrictEqual(after[name], before[name])) changed[name] = after[name]
  return changed
}

export function emitBotOwner(tx: Tx, bot: UserRow, ownerId: number): void {
  tx.emit(userUpdated, { person: { user_id: bot.id, bot_owner_id: ownerId } }, everyone)
}

export function emitBotKey(tx: Tx, bot: UserRow, apiKey: string): void {
  tx.emit(botUpdated, { bot: { user_id: bot.id, api_key: apiKey } }, { users: managersOf(tx.organization, bot) })
}

export async function emitManagedBotsForRole(tx: Tx, before: UserRow, role: Role): Promise<void> {
  const others = nonSystemUsers(tx.organization).filter(({ id, botType }) => botType !== null && id !== before.id)
  const [was, is] = [before.role, role].map((asked) => ({ userId: before.id, role: asked }))
  if (was === undefined || is === undefined) return
  const audience = { users: [before.id] }
  const gained = others.filter((bot) => mayManageBot(is, bot) && !mayManageBot(was, bot))
  for (const bot of others) {
    if (mayManageBot(was, bot) && !mayManageBot(is, bot)) tx.emit(botDeleted, { bot: { user_id: bot.id } }, audience)
  }
  for (const bot of await presentBots(tx.db, tx.organizationId, gained)) tx.emit(botAdded, bot, audience)
}

/** Sends a bot's default channels to the users in `places` who manage it both before and after the change. */
export function emitDefaultChannelsOfBots(tx: Tx, places: readonly UserChannel[], role?: Role): void {
  if (places.length === 0) return
  for (const bot of tx.organization.of(usersProjection).bots.values()) {
    for (const [name, id] of Object.entries(channelsOfBot(bot))) {
      const users = places
        .filter(({ channelId }) => channelId === id)
        .map(({ userId }) => ({ userId, role: knownUser(tx.organization, userId).role }))
        .filter((was) => mayManageBot(was, bot) && mayManageBot({ ...was, role: role ?? was.role }, bot))
        .map(({ userId }) => userId)
      if (users.length === 0) continue
      const channels: Partial<BotChannels> = { [name]: id }
      const logged: LoggedBot = { bot: { user_id: bot.id }, channels }
      tx.emit(botUpdated, logged, { users })
    }
  }
}
