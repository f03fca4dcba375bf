import { sql } from 'kysely'
import { ROLE, type Role } from '../../../kernel/actor.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { registrationAdded, registrationRemoved } from '../contract/index.ts'
import { mayTouch } from '../rules.ts'

/*
 * Where no e-mail is sent, those are told that somebody waits for a link, or does not any more, who may give it to them:
 * administrators, and owners alone where it makes an owner.
 */

/** What a link makes of a person; null where everybody may join. */
export type Granted = Role | null

type Sending = Pick<ServerFacts, 'mailer'>

/** Tells that somebody waits for a link. @param before what the links grant with which the same person waited already */
export function tellOfWaiting(tx: Tx, server: Sending, granted: Granted, before: readonly Granted[]): void {
  // The newest is what they wait for: who may not give it sees them no longer.
  if (!isForAdministrators(granted)) tellOfFewer(tx, server, before.filter(isForAdministrators))
  if (!server.mailer.isConfigured) tx.emit(registrationAdded, {}, audienceOf([granted]))
}

/** Tells that some wait no longer for links. @param granted what these grant */
export function tellOfFewer(tx: Tx, server: Sending, granted: readonly Granted[]): void {
  if (!server.mailer.isConfigured && granted.length > 0) tx.emit(registrationRemoved, {}, audienceOf(granted))
}

/** What the links grant with which somebody waits. */
export async function grantedTo(tx: Tx, email: string): Promise<Granted[]> {
  const { rows } = await sql<{ role: Granted }>`
    select i.role from registrations r
    left join invitations i on i.organization_id = r.organization_id and i.id = r.invitation_id
    where r.organization_id = ${tx.organizationId} and r.email_key = ${caseKey(email)} and r.expires_at > ${tx.now}`.execute(
    tx.db,
  )
  return rows.map(({ role }) => role)
}

function audienceOf(granted: readonly Granted[]) {
  return {
    roleAtMost: granted.some(isForAdministrators) ? ROLE.administrator : ROLE.owner,
    clients: { capability: 'registrations', has: true },
  } as const
}

function isForAdministrators(granted: Granted): boolean {
  return granted === null || mayTouch({ role: ROLE.administrator }, granted)
}
