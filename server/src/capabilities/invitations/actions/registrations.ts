import type { Actor } from '../../../kernel/actor.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { readerOf, type Call } from '../../../platform/request.ts'
import { noteAdministration } from '../../audit-log/actions.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import { linkOf, registrationsOf, type WaitingAddress } from '../queries.ts'
import { isGood, mayTouch } from '../rules.ts'

/*
 * If the server sends no email, an administrator passes on the link and vouches for the address, which no one can
 * prove.
 */

export async function getRegistrations(call: Call): Promise<Output<typeof contract.getRegistrations>> {
  const { organization, actor, db, now } = readerOf(call)
  requireAdministrator(actor)
  if (call.server.mailer.isConfigured) return { registrations: [] }
  const all = await registrationsOf(db, organization.id, now)
  return {
    registrations: all
      .filter((one) => mayHandOver(organization, actor, one))
      .toSorted((one, other) => other.requestedAt - one.requestedAt)
      .map(({ email, requestedAt, expiresAt }) => ({ email, requested: requestedAt, expires: expiresAt })),
  }
}

export async function makeRegistrationLink(
  call: Call,
  { email }: Input<typeof contract.makeRegistrationLink>,
): Promise<Output<typeof contract.makeRegistrationLink>> {
  const { log, actor, server } = call
  requireAdministrator(actor)
  if (server.mailer.isConfigured) {
    throw new Refusal('BAD_REQUEST', 'The link was sent to the owner of the address by email.')
  }
  const registration = await log.act(actor, async (tx) => {
    requireAdministrator(tx.actor)
    const [found] = await registrationsOf(tx.db, tx.organizationId, tx.now, email.trim())
    if (found === undefined || !mayHandOver(tx.organization, tx.actor, found)) {
      throw new Refusal('BAD_REQUEST', 'No one is waiting to join with this address.')
    }
    await noteAdministration(tx, {
      kind: 'invitations',
      action: 'changed',
      target: null,
      changes: [{ property: 'registration_link' }],
    })
    return found
  })
  return { registration_link: await linkOf(log.organization, server, registration) }
}

function requireAdministrator(actor: Actor): void {
  if (!isAdministrator(actor)) throw new Refusal('BAD_REQUEST', 'Must be an organization administrator')
}

function mayHandOver(organization: OrganizationState, actor: Actor, { invitation }: WaitingAddress): boolean {
  return isGood(organization, invitation) && (invitation === null || mayTouch(actor, invitation.role))
}
