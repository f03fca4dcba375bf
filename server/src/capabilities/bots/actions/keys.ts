import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { requireConfirmed } from '../../authentication/actions/owner.ts'
import { readApiKeys } from '../../authentication/queries.ts'
import { avatarPath } from '../../users/queries/index.ts'
import { botsManagedBy, managedBotById } from '../../users/rules/bots.ts'
import type * as contract from '../contract.ts'
import { shownDefaults } from '../queries/channels.ts'

/** The actor's own bots that are active. */
export async function getBots(reader: Reader): Promise<Output<typeof contract.getBots>> {
  await requireConfirmed(reader)
  const { organization, actor, db, organizationId } = reader
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
}

export async function getBotApiKey(
  reader: Reader,
  input: Input<typeof contract.getBotApiKey>,
): Promise<Output<typeof contract.getBotApiKey>> {
  const { organization, actor, db, organizationId } = reader
  const { id } = managedBotById(organization, actor, input.bot_id)
  await requireConfirmed(reader)
  const keys = await readApiKeys(db, organizationId, [id])
  return { api_key: keys.get(id) ?? '' }
}
