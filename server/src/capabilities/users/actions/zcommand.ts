import type { Input } from '../../../kernel/endpoint.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import { knownUser } from '../rules/index.ts'
import type * as contract from '../contract/zcommand.ts'
import { changePersonalSettings, type PersonalSettings } from './personal.ts'

const [DARK, LIGHT] = [2, 3]

const COMMANDS = new Map<string, PersonalSettings>([
  ['/ping', {}],
  ['/day', { color_scheme: LIGHT }],
  ['/light', { color_scheme: LIGHT }],
  ['/night', { color_scheme: DARK }],
  ['/dark', { color_scheme: DARK }],
  ['/fluid-width', { fluid_layout_width: true }],
  ['/fixed-width', { fluid_layout_width: false }],
])

export async function runZcommand(
  tx: ActorTx,
  input: Input<typeof contract.runZcommand>,
): Promise<Record<string, never>> {
  const settings = COMMANDS.get(input.command)
  if (settings === undefined) {
    throw new Refusal(
      'BAD_REQUEST',
      input.command.startsWith('/') ? 'No such command' : 'A command begins with a slash.',
    )
  }
  await changePersonalSettings(tx, knownUser(tx.organization, tx.actor.userId), settings)
  return {}
}
