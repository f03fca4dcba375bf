import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { managedBotById } from '../../users/rules/bots.ts'
import type * as contract from '../contract.ts'
import { noService } from '../rules.ts'
import { storedServices } from './payload-urls.ts'

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
