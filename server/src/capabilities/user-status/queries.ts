import type { Input, Output } from '../../kernel/endpoint.ts'
import type { Reader } from '../../kernel/transaction.ts'
import { statusOf } from '../users/queries/status.ts'
import { knownTo } from '../users/rules/visibility.ts'
import type * as contract from './contract.ts'

export function getUserStatus(
  { organization, actor }: Reader,
  { user_id }: Input<typeof contract.getUserStatus>,
): Output<typeof contract.getUserStatus> {
  return { status: statusOf(organization, knownTo(organization, actor, user_id).id) }
}
