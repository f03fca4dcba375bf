/* On servers without email, an administrator passes on the link and vouches for the unconfirmed address. */
import { ROLE, type Role } from '../../../kernel/actor.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Reader, Tx } from '../../../kernel/transaction.ts'
import type { PreparationCall } from '../../../platform/request.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { requireRecentConfirmation } from '../../authentication/actions/owner.ts'
import { addAuditEntry } from '../../audit-log/actions.ts'
import type { Member } from '../../groups/rules.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import { joinLinkOf, registrationsOf, type PendingRegistration } from '../queries.ts'
import { isValidInvitation, mayManageRole } from '../rules.ts'
import { sql } from 'kysely'
import { caseKey } from '../../../kernel/case-key.ts'
import { registrationAdded, registrationRemoved } from '../contract.ts'

export async function getRegistrations(
  { organization, actor, db, now }: Reader,
  _input: Input<typeof contract.getRegistrations>,
  server: ServerFacts,
): Promise<Output<typeof contract.getRegistrations>> {
  requireAdministrator(actor)
  if (server.mailer.isConfigured) return { registrations: [] }
  const all = await registrationsOf(db, organization.id, now)
  return {
    registrations: all
      .filter((one) => mayShareRegistrationLink(organization, actor, one))
      .toSorted((one, other) => other.requestedAt - one.requestedAt)
      .map(({ email, requestedAt, expiresAt }) => ({ email, requested: requestedAt, expires: expiresAt })),
  }
}

export function checkRegistrationLink({ actor, server }: PreparationCall): void {
  requireAdministrator(actor)
  if (server.mailer.isConfigured) {
    throw new ApiError('BAD_REQUEST', 'The link was sent to the owner of the address by email.')
  }
}

export async function makeRegistrationLink(
  tx: ActorTx,
  { email }: Input<typeof contract.makeRegistrationLink>,
): Promise<PendingRegistration> {
  requireAdministrator(tx.actor)
  await requireRecentConfirmation(tx)
  const [found] = await registrationsOf(tx.db, tx.organizationId, tx.now, email.trim())
  if (found === undefined || !mayShareRegistrationLink(tx.organization, tx.actor, found)) {
    throw new ApiError('BAD_REQUEST', 'No one is waiting to join with this address.')
  }
  await addAuditEntry(tx, {
    kind: 'invitations',
    action: 'changed',
    target: null,
    changes: [{ property: 'registration_link' }],
  })
  return found
}

export async function showRegistrationLink(
  { log, server }: PreparationCall,
  registration: PendingRegistration,
): Promise<Output<typeof contract.makeRegistrationLink>> {
  return { registration_link: await joinLinkOf(log.organization, server, registration) }
}

function requireAdministrator(actor: Member): void {
  if (!isAdministrator(actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
}

function mayShareRegistrationLink(
  organization: OrganizationState,
  actor: Member,
  { invitation }: PendingRegistration,
): boolean {
  return isValidInvitation(organization, invitation) && (invitation === null || mayManageRole(actor, invitation.role))
}

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
  if (!mayAdministratorsGrant(granted)) emitRegistrationsRemoved(tx, server, before.filter(mayAdministratorsGrant))
  if (!server.mailer.isConfigured) tx.emit(registrationAdded, {}, registrationAudience([granted]))
}

export function emitRegistrationsRemoved(tx: Tx, server: MailContext, granted: readonly GrantedRole[]): void {
  if (!server.mailer.isConfigured && granted.length > 0) tx.emit(registrationRemoved, {}, registrationAudience(granted))
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

function registrationAudience(granted: readonly GrantedRole[]) {
  return {
    roleAtMost: granted.some(mayAdministratorsGrant) ? ROLE.administrator : ROLE.owner,
    clients: { capability: 'registrations', has: true },
  } as const
}

function mayAdministratorsGrant(granted: GrantedRole): boolean {
  return granted === null || mayManageRole({ role: ROLE.administrator }, granted)
}
