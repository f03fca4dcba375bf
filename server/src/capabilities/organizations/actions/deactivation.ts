import { ROLE } from '../../../kernel/actor.ts'
import { everyone } from '../../../kernel/audience.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import { dropAllQueues } from '../../../platform/queues/store.ts'
import { noteAdministration } from '../../audit-log/actions.ts'
import { changeOf } from '../../audit-log/rules/described.ts'
import { endAllSessions } from '../../sessions/actions/index.ts'
import { realmDeactivated } from '../contract/index.ts'
import { changeOrganization } from './index.ts'

export async function deactivateRealm(tx: ActorTx): Promise<Record<string, never>> {
  if (tx.actor.role !== ROLE.owner) throw new Refusal('BAD_REQUEST', 'Must be an organization owner')
  await deactivateOrganization(tx)
  return {}
}

export async function deactivateOrganization(tx: Tx): Promise<void> {
  await changeOrganization(tx, { isDeactivated: true })
  // The change is in the same batch as the event, so the event is the last one of every queue.
  tx.emit(realmDeactivated, { realm_id: tx.organizationId }, everyone)
  await dropAllQueues(tx)
  await endAllSessions(tx)
}

/** Reactivates an organization as it was. Browsers must sign in again. */
export async function reactivateOrganization(tx: Tx): Promise<void> {
  await changeOrganization(tx, { isDeactivated: false })
  // No event, because no queues exist.
  const changes = changeOf('deactivated', true, false)
  await noteAdministration(tx, { kind: 'settings', action: 'changed', target: null, changes })
}
