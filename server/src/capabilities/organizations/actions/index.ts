import { ROLE } from '../../../kernel/actor.ts'
import { everyone } from '../../../kernel/audience.ts'
import { withState, type OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Tx, ActorTx } from '../../../kernel/transaction.ts'
import { keysOf, recordWith } from '../../../kernel/keys.ts'
import { deleteAllQueues } from '../../../platform/queues/store.ts'
import { addAuditEntry } from '../../audit-log/actions.ts'
import { describeChange } from '../../audit-log/rules/described.ts'
import { createSystemGroups } from '../../groups/actions/changes.ts'
import { PERMISSIONS } from '../../groups/contract/permissions.ts'
import { settingsReferencingUser } from '../../groups/queries.ts'
import { requireRecentConfirmation } from '../../authentication/actions/owner.ts'
import { endAllSessions } from '../../sessions/actions/index.ts'
import { MAX_SUBDOMAIN_CHARACTERS, realmSettingsUpdated, realmDeactivated } from '../contract/index.ts'
import { groupSetting, organizationProjection, organizationOf, type Organization } from '../queries/index.ts'
import { validOrganizationName } from '../rules.ts'

/** A DNS label of lowercase letters, digits, and inner hyphens; empty for the root domain. */
const SUBDOMAIN_PATTERN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)?$/

export function requireUsableSubdomain(stringId: string): void {
  if (SUBDOMAIN_PATTERN.test(stringId) && stringId.length <= MAX_SUBDOMAIN_CHARACTERS) return
  throw new ApiError('BAD_REQUEST', `Not usable as a subdomain: ${stringId}`)
}

export interface NewOrganization {
  readonly name: string
  readonly stringId: string
  readonly language?: string | undefined
}

export async function createOrganization(tx: Tx, input: NewOrganization): Promise<void> {
  requireUsableSubdomain(input.stringId)
  const name = validOrganizationName(input.name)
  const settings = input.language === undefined ? {} : { default_language: input.language }
  await tx.db
    .insertInto('organization_settings')
    .values({
      organization_id: tx.organizationId,
      name,
      description: '',
      date_created: tx.now,
      deactivated: false,
      settings: JSON.stringify(settings),
    })
    .execute()
  tx.change(organizationProjection, {
    stringId: input.stringId,
    name,
    description: '',
    renderedDescription: '',
    dateCreated: tx.now,
    settings,
    userDefaults: {},
    pictures: {},
    isDeactivated: false,
  })
  await createSystemGroups(tx)
}

/** Sends the permissions that name a deactivated or reactivated user; clients see only active users in permissions. */
export function emitPermissionsWithUser(tx: Tx, userId: number, after: OrganizationState): void {
  const permissions = recordWith(keysOf(PERMISSIONS.realm), (name) => groupSetting(tx.organization, name))
  const naming = settingsReferencingUser(after, permissions, userId)
  if (naming.length === 0) return
  tx.emit(realmSettingsUpdated, { property: 'default', data: Object.fromEntries(naming) }, everyone)
}

/** Changes fields without any checks. Returns the organization after the change. */
export async function changeOrganization(
  tx: Tx,
  part: Partial<Omit<Organization, 'stringId' | 'dateCreated'>>,
): Promise<OrganizationState> {
  const organization = { ...organizationOf(tx.organization), ...part }
  await tx.db
    .updateTable('organization_settings')
    .set({
      name: organization.name,
      description: organization.description,
      rendered_description: organization.renderedDescription,
      settings: JSON.stringify(organization.settings),
      user_settings_defaults: JSON.stringify(organization.userDefaults),
      pictures: JSON.stringify(organization.pictures),
      deactivated: organization.isDeactivated,
    })
    .where('organization_id', '=', tx.organizationId)
    .execute()
  tx.change(organizationProjection, organization)
  return withState(tx.organization, organizationProjection, { current: organization })
}

export async function deactivateRealm(tx: ActorTx): Promise<Record<string, never>> {
  if (tx.actor.role !== ROLE.owner) throw new ApiError('BAD_REQUEST', 'Must be an organization owner')
  await requireRecentConfirmation(tx)
  await deactivateOrganization(tx)
  return {}
}

export async function deactivateOrganization(tx: Tx): Promise<void> {
  await changeOrganization(tx, { isDeactivated: true })
  // Event queues end in the same transaction, so this is their last event.
  tx.emit(realmDeactivated, { realm_id: tx.organizationId }, everyone)
  await deleteAllQueues(tx)
  await endAllSessions(tx)
}

/** Reactivates an organization with its former data. Browsers must sign in again. */
export async function reactivateOrganization(tx: Tx): Promise<void> {
  await changeOrganization(tx, { isDeactivated: false })
  // No event is sent, because a deactivated organization has no queues.
  const changes = describeChange('deactivated', true, false)
  await addAuditEntry(tx, { kind: 'settings', action: 'changed', target: null, changes })
}
