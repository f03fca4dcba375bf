import type * as z from 'zod/mini'
import { nobody } from '../../../kernel/audience.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { credentialsChanged } from '../contract.ts'

type CredentialsChange = z.output<typeof credentialsChanged.payload>

export function emitCredentials(
  tx: Tx,
  userId: number,
  what: CredentialsChange['what'],
  before: CredentialsChange['before'],
  after: CredentialsChange['after'],
): void {
  tx.emit(credentialsChanged, { user_id: userId, what, before, after }, nobody)
}
