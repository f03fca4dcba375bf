import type { Input } from '../../../kernel/endpoint.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { Call } from '../../../platform/request.ts'
import { askForAddress } from '../../account-links/actions/addresses.ts'
import { changePassword, hashChosenPassword } from '../../authentication/actions/index.ts'
import { requireConfirmed, requirePassword } from '../../authentication/actions/owner.ts'
import { emitInheritedChoices } from '../../channels/actions/properties.ts'
import { organizationOf, settingOf } from '../../organizations/queries/index.ts'
import { requireAllowedAddress } from './addresses.ts'
import type { UserRow } from '../queries/index.ts'
import { changeUser } from './index.ts'
import { changePersonalSettings, changeUserSettingsDefaults } from './personal.ts'
import { isAdministrator, knownUser, mayChangeOwnEmail } from '../rules/index.ts'
import type * as contract from '../contract/own-settings.ts'

/** Changes the user's own account and settings, all or none. */
export async function updateSettings(
  call: Call,
  { old_password, new_password, ...input }: Input<typeof contract.updateSettings>,
): Promise<Record<string, never>> {
  // Before the transaction, because verifying and hashing passwords is slow.
  const password = new_password === undefined ? undefined : await anotherPassword(call, old_password, new_password)
  const { email, ...others } = input
  // If the server sends email, a new address must be confirmed first.
  const token = email === undefined || !call.server.mailer.isConfigured ? undefined : await call.server.tokens.make()
  await call.log.act(call.actor, async (tx) => {
    if (password !== undefined) await changePassword(tx, password)
    const user = await changeOwnAccount(tx, token === undefined ? input : others)
    if (email === undefined || token === undefined) return
    if (email.trim() === user.deliveryEmail) return
    await requireMayChangeOwnEmail(tx)
    await askForAddress(tx, user, email, token)
  })
  return {}
}

/** @returns the hash of the verified current password, and the hash of the new one */
async function anotherPassword(call: Call, before: string, password: string): Promise<{ old: string; new: string }> {
  const { organization } = call.log
  const { id, fullName, deliveryEmail } = knownUser(organization, call.actor.userId)
  const old = await requirePassword(call, before)
  const ownWords = [fullName, deliveryEmail, organizationOf(organization).name]
  const permit = `user ${organization.id}:${id}`
  return { old, new: await hashChosenPassword(call, { password, ownWords, permit }) }
}

/** Handles the deprecated path for display settings. */
export async function updateDisplaySettings(
  call: Call,
  input: Input<typeof contract.updateDisplaySettings>,
): Promise<Record<string, never>> {
  return updateSettings(call, input)
}

/** Handles the deprecated path for notification settings. */
export async function updateNotificationSettings(
  call: Call,
  input: Input<typeof contract.updateNotificationSettings>,
): Promise<Record<string, never>> {
  return updateSettings(call, input)
}

async function changeOwnAccount(
  tx: ActorTx,
  { full_name, email, ...settings }: Omit<Input<typeof contract.updateSettings>, 'old_password' | 'new_password'>,
): Promise<UserRow> {
  const before = knownUser(tx.organization, tx.actor.userId)
  if (full_name !== undefined && full_name.trim() !== before.fullName) requireMayChangeOwnName(tx)
  if (email !== undefined && email.trim() !== before.deliveryEmail) await requireMayChangeOwnEmail(tx)
  if (email !== undefined) await requireAllowedAddress(tx.organization, email, before)
  const { user } = await changeUser(tx, before, { fullName: full_name, email })
  const after = await changePersonalSettings(tx, user, settings)
  emitInheritedChoices(tx, before, after)
  return after
}

export async function updateUserSettingsDefaults(
  tx: ActorTx,
  input: Input<typeof contract.updateUserSettingsDefaults>,
): Promise<Record<string, never>> {
  if (!isAdministrator(tx.actor)) throw new Refusal('BAD_REQUEST', 'Must be an organization administrator')
  await changeUserSettingsDefaults(tx, input)
  return {}
}

function requireMayChangeOwnName({ organization, actor }: ActorTx): void {
  if (settingOf(organization, 'name_changes_disabled') && !isAdministrator(actor)) {
    throw new Refusal('BAD_REQUEST', 'Name changes are disabled in this organization.')
  }
}

async function requireMayChangeOwnEmail(tx: ActorTx): Promise<void> {
  if (!mayChangeOwnEmail(tx.organization, tx.actor)) {
    throw new Refusal('BAD_REQUEST', 'Email address changes are disabled in this organization.')
  }
  // Access to the address allows resetting the password.
  await requireConfirmed(tx)
}
