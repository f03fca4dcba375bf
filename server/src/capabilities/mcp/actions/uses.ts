import type { Refusal } from '../../../kernel/refusal.ts'
import type { GatewayRequest } from '../../../platform/gateway.ts'
import { noteAdministration } from '../../audit-log/actions.ts'
import { changed } from '../../audit-log/rules/described.ts'
import { channelById } from '../../channels/queries/index.ts'
import type { Tool } from './tools.ts'

/**
 * Writes into the audit log that a tool was used: which one, in which channel, and whether it was refused. It says neither what was looked
 * for nor what was found, and of direct messages not whose they are.
 * @param channelId the one channel that was used; undefined for direct messages, and for what goes through all that is visible
 */
export async function noteUse(
  { note }: Pick<GatewayRequest, 'note'>,
  { name }: Pick<Tool, 'name'>,
  channelId: number | undefined,
  refusal?: Refusal,
): Promise<void> {
  await note(async (tx) => {
    const channel = channelId === undefined ? undefined : channelById(tx.organization, channelId)
    const target = channel === undefined ? null : ({ type: 'channel', id: channel.id, name: channel.name } as const)
    const changes = [
      ...changed('tool', undefined, name),
      ...(refusal === undefined ? [] : changed('error', undefined, refusal.code)),
    ]
    await noteAdministration(tx, { kind: 'tools', action: refusal === undefined ? 'used' : 'refused', target, changes })
  })
}
