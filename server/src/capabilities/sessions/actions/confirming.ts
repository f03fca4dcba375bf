import type { Input } from '../../../kernel/endpoint.ts'
import type { Call } from '../../../platform/request.ts'
import { requirePassword } from '../../authentication/actions/owner.ts'
import type * as contract from '../contract.ts'
import { noteConfirmation, requireSession } from './index.ts'

export async function confirmSession(
  call: Call,
  { password }: Input<typeof contract.confirmSession>,
): Promise<Record<string, never>> {
  requireSession(call.actor)
  await requirePassword(call, password)
  await call.log.act(call.actor, noteConfirmation)
  return {}
}
