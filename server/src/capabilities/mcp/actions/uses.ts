import type { Refusal } from '../../../kernel/refusal.ts'
import type { GatewayRequest } from '../../../platform/gateway.ts'
import { amendAdministration, noteAdministration } from '../../audit-log/actions.ts'
import { changeOf, type AuditDescription } from '../../audit-log/rules/described.ts'
import { channelById } from '../../channels/queries/index.ts'
import type { Tool } from './tools.ts'

/**
 * Records a tool call, but neither search terms nor results, nor whose direct messages were used.
 * @param channelId undefined for direct messages and for calls across all visible channels
 */
export async function noteUse(
  { note }: Pick<GatewayRequest, 'note'>,
  tool: Pick<Tool, 'name'>,
  channelId: number | undefined,
  refusal?: Refusal,
): Promise<number> {
  return note(async (tx) => {
    const channel = channelId === undefined ? undefined : channelById(tx.organization, channelId)
    const target = channel === undefined ? null : ({ type: 'channel', id: channel.id, name: channel.name } as const)
    return noteAdministration(tx, { kind: 'tools', target, ...outcomeOf(tool, refusal) })
  })
}

export async function noteRefusal(
  { note }: Pick<GatewayRequest, 'note'>,
  id: number,
  tool: Pick<Tool, 'name'>,
  refusal: Refusal,
): Promise<void> {
  await note(async (tx) => amendAdministration(tx, id, outcomeOf(tool, refusal)))
}

function outcomeOf(
  { name }: Pick<Tool, 'name'>,
  refusal: Refusal | undefined,
): Pick<AuditDescription, 'action' | 'changes'> {
  const error = refusal === undefined ? [] : changeOf('error', undefined, refusal.code)
  return {
    action: refusal === undefined ? 'used' : 'refused',
    changes: [...changeOf('tool', undefined, name), ...error],
  }
}
