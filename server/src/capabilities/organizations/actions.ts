import { Refusal } from '../../kernel/refusal.ts'
import { codePoints } from '../../kernel/parameters.ts'
import type { Tx } from '../../kernel/transaction.ts'
import { createSystemGroups } from '../groups/actions/system.ts'
import { MAX_ORGANIZATION_NAME, MAX_SUBDOMAIN } from './contract/index.ts'
import { organizationFold, organizationOf, type Organization } from './queries.ts'

/** Lower-case letters, digits and inner hyphens: what can be a part of a host name. Empty for the root domain. */
const SUBDOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)?$/

/** Makes the organization whose log the transaction begins. */
export async function createOrganization(tx: Tx, input: { name: string; stringId: string }): Promise<void> {
  if (!SUBDOMAIN.test(input.stringId) || input.stringId.length > MAX_SUBDOMAIN) {
    throw new Refusal('BAD_REQUEST', `Not usable as a subdomain: ${input.stringId}`)
  }
  const name = input.name.trim()
  if (name === '' || codePoints(name) > MAX_ORGANIZATION_NAME) {
    throw new Refusal('BAD_REQUEST', `An organization's name has 1 to ${MAX_ORGANIZATION_NAME} characters`)
  }
  await tx.db
    .insertInto('organization_settings')
    .values({
      organization_id: tx.organizationId,
      name,
      description: '',
      date_created: tx.now,
      deactivated: false,
      settings: '{}',
    })
    .execute()
  tx.change(organizationFold, {
    stringId: input.stringId,
    name,
    description: '',
    renderedDescription: '',
    dateCreated: tx.now,
    settings: {},
    userDefaults: {},
  })
  await createSystemGroups(tx)
}

/** Changes what the organization is called, is or has set. Who may, and to what, is the caller's business. */
export async function changeOrganization(
  tx: Tx,
  part: Partial<Omit<Organization, 'stringId' | 'dateCreated'>>,
): Promise<void> {
  const organization = { ...organizationOf(tx.world), ...part }
  await tx.db
    .updateTable('organization_settings')
    .set({
      name: organization.name,
      description: organization.description,
      rendered_description: organization.renderedDescription,
      settings: JSON.stringify(organization.settings),
      user_settings_defaults: JSON.stringify(organization.userDefaults),
    })
    .where('organization_id', '=', tx.organizationId)
    .execute()
  tx.change(organizationFold, organization)
}
