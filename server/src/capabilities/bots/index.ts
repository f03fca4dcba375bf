import { capability, command, direct, query } from '../../platform/capability.ts'
import { readApiKeys } from '../authentication/queries.ts'
import { shownDefaults } from '../channels/queries/bot-channels.ts'
import { avatarPath } from '../users/queries.ts'
import { botsManagedBy, managedBotById } from '../users/rules/bots.ts'
import { createBot, deactivateBot, regenerateBotApiKey, updateBot } from './actions.ts'
import * as contract from './contract.ts'

/** Bots: making, changing and ending them, and their keys. */
export const bots = capability({
  name: 'bots',
  tables: [],
  routes: [
    query(contract.getBots, async ({ organization, actor, db, organizationId }) => {
      const own = botsManagedBy(organization, actor).filter((bot) => bot.botOwnerId === actor.userId && bot.isActive)
      const keys = await readApiKeys(
        db,
        organizationId,
        own.map(({ id }) => id),
      )
      return {
        bots: own.map((bot) => ({
          user_id: bot.id,
          username: bot.email,
          full_name: bot.fullName,
          api_key: keys.get(bot.id) ?? '',
          avatar_url: avatarPath(bot),
          ...shownDefaults(organization, actor, bot),
        })),
      }
    }),
    direct(contract.createBot, createBot),
    direct(contract.updateBot, updateBot),
    command(contract.deactivateBot, deactivateBot),
    query(contract.getBotApiKey, async ({ organization, actor, db, organizationId }, input) => {
      const { id } = managedBotById(organization, actor, input.bot_id)
      const keys = await readApiKeys(db, organizationId, [id])
      return { api_key: keys.get(id) ?? '' }
    }),
    command(contract.regenerateBotApiKey, regenerateBotApiKey),
  ],
  snapshot: [
    // The server has no programs of its own for these to run, and knows no services whose messages it would translate.
    { eventTypes: ['realm_embedded_bots'], observe: () => ({ realm_embedded_bots: [] }) },
    { eventTypes: ['realm_incoming_webhook_bots'], observe: () => ({ realm_incoming_webhook_bots: [] }) },
  ],
})
