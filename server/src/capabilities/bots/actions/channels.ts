import type { Role } from '../../../kernel/actor.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { botUpdated } from '../contract.ts'
import { usersProjection } from '../../users/queries/index.ts'
import { channelsOfBot, type BotChannels, type LoggedBot } from '../queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import { mayManageBot } from '../../users/rules/bots.ts'
import type { UserChannel } from '../../channels/queries/index.ts'

/** Sends a bot's default channels to the users in `places` who manage it both before and after the change. */
export function emitBotChannels(tx: Tx, places: readonly UserChannel[], role?: Role): void {
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
