import { sql } from 'kysely'
import { ROLE, type Role } from '../../../kernel/actor.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { registrationAdded, registrationRemoved } from '../contract.ts'
import { mayManageRole } from '../rules.ts'

/* On servers without email, events tell the people who can pass on a link that someone is waiting for it. */

/** Role that a link grants; null if anyone can join. */
export type GrantedRole = Role | null

type MailContext = Pick<ServerFacts, 'mailer'>

/** `granted`: role of the person's new link. `before`: roles of the person's earlier links. */
export function emitRegistrationAdded(
  tx: Tx,
  server: MailContext,
  granted: GrantedRole,
  before: readonly GrantedRole[],
): void {
  // Only the newest link counts, so users who cannot grant its role no longer see the person.
  if (!isForAdministrators(granted)) emitRegistrationsRemoved(tx, server, before.filter(isForAdministrators))
  if (!server.mailer.isConfigured) tx.emit(registrationAdded, {}, audienceOf([granted]))
}

export function emitRegistrationsRemoved(tx: Tx, server: MailContext, granted: readonly GrantedRole[]): void {
  if (!server.mailer.isConfigured && granted.length > 0) tx.emit(registrationRemoved, {}, audienceOf(granted))
}

export async function rolesOfRegistrations(tx: Tx, email: string): Promise<GrantedRole[]> {
  const { rows } = await sql<{ role: GrantedRole }>`
    select i.role from registrations r
    left join invitations i on i.organization_id = r.organization_id and i.id = r.invitation_id
    where r.organization_id = ${tx.organizationId} and r.email_key = ${caseKey(email)} and r.expires_at > ${tx.now}`.execute(
    tx.db,
  )
  return rows.map(({ role }) => role)
}

function audienceOf(granted: readonly GrantedRole[]) {
  return {
    roleAtMost: granted.some(isForAdministrators) ? ROLE.administrator : ROLE.owner,
    clients: { capability: 'registrations', has: true },
  } as const
}

function isForAdministrators(granted: GrantedRole): boolean {
  return granted === null || mayManageRole({ role: ROLE.administrator }, granted)
}
