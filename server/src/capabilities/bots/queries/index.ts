import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { readApiKeys } from '../../authentication/queries.ts'
import { shownDefaults } from './channels.ts'
import { avatarPath } from '../../users/queries/index.ts'
import { botsManagedBy, managedBotById } from '../../users/rules/bots.ts'
import type * as contract from '../contract.ts'
import { noService } from '../rules.ts'
import { storedServices } from './payload-urls.ts'

export async function getBots(reader: Reader): Promise<Output<typeof contract.getBots>> {
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
  { organization, actor, db, organizationId }: Reader,
  input: Input<typeof contract.getBotApiKey>,
): Promise<Output<typeof contract.getBotApiKey>> {
  const { id } = managedBotById(organization, actor, input.bot_id)
  const keys = await readApiKeys(db, organizationId, [id])
  return { api_key: keys.get(id) ?? '' }
}

export async function getBotService(
  { organization, actor, db, organizationId }: Reader,
  input: Input<typeof contract.getBotService>,
): Promise<Output<typeof contract.getBotService>> {
  const { id } = managedBotById(organization, actor, input.bot_id)
  const [service] = await storedServices(db, organizationId, [id])
  if (service === undefined) throw noService()
  const { base_url, token, interface: form } = service
  return { service: { base_url, token, interface: form } }
}

export function embeddedBotsSnapshot(): Record<string, unknown> {
  return { realm_embedded_bots: [] }
}
