import type { Input } from '../../../kernel/endpoint.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { Call } from '../../../platform/request.ts'
import { changePassword, hashNewPassword, requirePassword } from '../../authentication/actions.ts'
import { emitInheritedChoices } from '../../channels/actions/properties.ts'
import { setting } from '../../organizations/queries/index.ts'
import { requireAllowedAddress } from './allowed-addresses.ts'
import { changeUser } from './index.ts'
import { changePersonalSettings, changeUserSettingsDefaults } from './personal.ts'
import { isAdministrator, knownUser } from '../rules/index.ts'
import type * as contract from '../contract/own-settings.ts'

/** Changes the given settings of the user's own account: all of them, or nothing when one cannot be changed. */
export async function updateSettings(
  call: Call,
  { old_password, new_password, ...input }: Input<typeof contract.updateSettings>,
): Promise<Record<string, never>> {
  // Passwords are checked and hashed before: that is slow.
  const password =
    new_password === undefined
      ? undefined
      : { old: await requirePassword(call, old_password), new: await hashNewPassword(new_password) }
  await call.log.act(call.actor, async (tx) => {
    if (password !== undefined) await changePassword(tx, password)
    await changeOwnAccount(tx, input)
  })
  return {}
}

/** The older address of `updateSettings` for what is displayed. */
export async function updateDisplaySettings(
  call: Call,
  input: Input<typeof contract.updateDisplaySettings>,
): Promise<Record<string, never>> {
  return updateSettings(call, input)
}

/** The older address of `updateSettings` for what people are told of. */
export async function updateNotificationSettings(
  call: Call,
  input: Input<typeof contract.updateNotificationSettings>,
): Promise<Record<string, never>> {
  return updateSettings(call, input)
}

async function changeOwnAccount(
  tx: ActorTx,
  { full_name, email, ...settings }: Omit<Input<typeof contract.updateSettings>, 'old_password' | 'new_password'>,
): Promise<void> {
  const before = knownUser(tx.organization, tx.actor.userId)
  if (full_name !== undefined && full_name.trim() !== before.fullName) requireMayChangeOwnName(tx)
  if (email !== undefined && email.trim() !== before.deliveryEmail) requireMayChangeOwnEmail(tx)
  if (email !== undefined) await requireAllowedAddress(tx.organization, email, before)
  const { user } = await changeUser(tx, before, { fullName: full_name, email })
  const after = await changePersonalSettings(tx, user, settings)
  emitInheritedChoices(tx, before, after)
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
  if (setting(organization, 'name_changes_disabled') && !isAdministrator(actor)) {
    throw new Refusal('BAD_REQUEST', 'Name changes are disabled in this organization.')
  }
}

function requireMayChangeOwnEmail({ organization, actor }: ActorTx): void {
  if (setting(organization, 'email_changes_disabled') && !isAdministrator(actor)) {
    throw new Refusal('BAD_REQUEST', 'Email address changes are disabled in this organization.')
  }
}
