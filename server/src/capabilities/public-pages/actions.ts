import type { Input } from '../../kernel/endpoint.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import { changeChannel } from '../channels/actions/emit.ts'
import { channelAudience, requireAdministeredChannel } from '../channels/rules/index.ts'
import * as contract from './contract.ts'

export async function updatePublicPageSettings(
  tx: ActorTx,
  input: Input<typeof contract.updatePublicPageSettings>,
): Promise<Record<string, never>> {
  const channel = requireAdministeredChannel(tx.organization, tx.actor, input.stream_id)
  const { hidden_from_search_engines: isHiddenFromSearchEngines } = input
  if (isHiddenFromSearchEngines === channel.isHiddenFromSearchEngines) return {}
  await changeChannel(tx, channel, { ...channel, isHiddenFromSearchEngines })
  const { stream_id, hidden_from_search_engines } = input
  tx.emit(
    contract.publicPageSettingsUpdated,
    { stream_id, hidden_from_search_engines },
    { ...channelAudience(tx.organization, channel), clients: { capability: 'public_pages', has: true } },
  )
  return {}
}
