import { ROLE, type Actor } from '../../kernel/actor.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import type { RealmPermission } from '../groups/contract/permissions.ts'
import type { RealmSettingName } from '../organizations/contract/settings.ts'
import { setting } from '../organizations/queries.ts'
import { isAdministrator } from '../users/rules.ts'

/** Settings that only owners change: who gets in, who owns what, and what is kept. */
const OWNERS_ONLY: ReadonlySet<string> = new Set<RealmSettingName | RealmPermission>([
  'can_create_web_public_channel_group',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'create_multiuse_invite_group',
  'disallow_disposable_email_addresses',
  'emails_restricted_to_domains',
  'invite_required',
  'message_retention_days',
  'waiting_period_threshold',
])

export function requireMayChangeOrganization(actor: Actor, names: readonly string[]): void {
  if (!isAdministrator(actor)) throw new Refusal('BAD_REQUEST', 'Must be an organization administrator')
  if (actor.role !== ROLE.owner && names.some((name) => OWNERS_ONLY.has(name))) {
    throw new Refusal('BAD_REQUEST', 'Must be an organization owner')
  }
}

export function requireMayChangeOwnName({ organization, actor }: ActorTx): void {
  if (setting(organization, 'name_changes_disabled') && !isAdministrator(actor)) {
    throw new Refusal('BAD_REQUEST', 'Name changes are disabled in this organization.')
  }
}

export function requireMayChangeOwnEmail({ organization, actor }: ActorTx): void {
  if (setting(organization, 'email_changes_disabled') && !isAdministrator(actor)) {
    throw new Refusal('BAD_REQUEST', 'Email address changes are disabled in this organization.')
  }
}
