import type { Refusal } from '../../../kernel/refusal.ts'
import type { GatewayRequest } from '../../../platform/gateway.ts'
import { amendAdministration, noteAdministration } from '../../audit-log/actions.ts'
import { changed, type Described } from '../../audit-log/rules/described.ts'
import { channelById } from '../../channels/queries/index.ts'
import type { Tool } from './tools.ts'

/**
 * Writes into the audit log that a tool was used: which one, in which channel, and whether it was refused. It says neither what was looked
 * for nor what was found, and of direct messages not whose they are.
 * @param channelId the one channel that was used; undefined for direct messages, and for what goes through all that is visible
 * @returns the id of the entry
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

/** Says that what was noted before it was done was refused. */
export async function noteRefusal(
  { note }: Pick<GatewayRequest, 'note'>,
  id: number,
  tool: Pick<Tool, 'name'>,
  refusal: Refusal,
): Promise<void> {
  await note(async (tx) => amendAdministration(tx, id, outcomeOf(tool, refusal)))
}

function outcomeOf({ name }: Pick<Tool, 'name'>, refusal: Refusal | undefined): Pick<Described, 'action' | 'changes'> {
  const error = refusal === undefined ? [] : changed('error', undefined, refusal.code)
  return {
    action: refusal === undefined ? 'used' : 'refused',
    changes: [...changed('tool', undefined, name), ...error],
  }
}
