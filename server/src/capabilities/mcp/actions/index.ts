import type { Input } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { GatewayAnswer, GatewayRequest } from '../../../platform/capability.ts'
import { addAuditEntry } from '../../audit-log/actions.ts'
import { describeChange } from '../../audit-log/rules/described.ts'
import { requireAdministeredChannel } from '../../channels/rules/index.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import { allowsTools, toolAccessProjection } from '../queries.ts'

/** Loads the SDK lazily, because most servers never need it. */
export async function answerMcpRequest(request: GatewayRequest): Promise<GatewayAnswer> {
  const { answerProtocolMessage } = await import('./protocol.ts')
  return answerProtocolMessage(request)
}

export async function updateToolAccess(
  tx: ActorTx,
  { access }: Input<typeof contract.updateToolAccess>,
): Promise<Record<string, never>> {
  if (!isAdministrator(tx.actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
  const { access: before } = tx.organization.of(toolAccessProjection)
  if (before === access) return {}
  await tx.db
    .insertInto('tool_access')
    .values({ organization_id: tx.organizationId, access })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ access }))
    .execute()
  tx.change(toolAccessProjection, { access })
  const changes = describeChange('tool_access', before, access)
  await addAuditEntry(tx, { kind: 'settings', action: 'changed', target: null, changes })
  return {}
}

export async function updateChannelToolAccess(
  tx: ActorTx,
  { stream_id, is_allowed: isAllowed }: Input<typeof contract.updateChannelToolAccess>,
): Promise<Record<string, never>> {
  const channel = requireAdministeredChannel(tx.organization, tx.actor, stream_id)
  const isChosen = tx.organization.of(toolAccessProjection).channels.has(channel.id)
  const wasAllowed = allowsTools(tx.organization, channel)
  // Stores even a choice that equals the default, because the default changes if the channel becomes private or public.
  if (isChosen && wasAllowed === isAllowed) return {}
  await tx.db
    .insertInto('channel_tool_access')
    .values({ organization_id: tx.organizationId, channel_id: channel.id, is_allowed: isAllowed })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'channel_id']).doUpdateSet({ is_allowed: isAllowed }),
    )
    .execute()
  tx.change(toolAccessProjection, { channelId: channel.id, isAllowed })
  const changes = describeChange('tool_access', isChosen ? wasAllowed : undefined, isAllowed)
  const target = { type: 'channel', id: channel.id, name: channel.name } as const
  await addAuditEntry(tx, { kind: 'channels', action: 'changed', target, changes })
  return {}
}
