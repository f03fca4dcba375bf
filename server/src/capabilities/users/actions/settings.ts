import type { Input } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { PreparationCall } from '../../../platform/request.ts'
import type { NewToken } from '../../../platform/tokens/tokens.ts'
import { requestAddressChange } from '../../account-links/actions/addresses.ts'
import { changePassword, hashChosenPassword } from '../../authentication/actions/index.ts'
import { requireRecentConfirmation, requirePassword } from '../../authentication/actions/owner.ts'
import { emitInheritedSettings } from '../../channels/actions/properties.ts'
import { requireNoNewcomerLinks } from '../../messages/queries/newcomers.ts'
import { organizationOf, settingOf } from '../../organizations/queries/index.ts'
import { requireAllowedAddress } from './addresses.ts'
import type { UserRow } from '../queries/index.ts'
import { changeUser } from './index.ts'
import { changePersonalSettings, changeUserSettingsDefaults } from './personal.ts'
import { isAdministrator, knownUser, mayChangeOwnEmail } from '../rules/index.ts'
import type * as contract from '../contract/own-settings.ts'

type SettingsInput = Input<typeof contract.updateSettings>

interface PreparedSettings {
  readonly password: PasswordChange | undefined
  /** Token to confirm a new email address; undefined if the address is unchanged or the server sends no email. */
  readonly token: NewToken | undefined
}

interface PasswordChange {
  readonly old: string
  readonly new: string
}

export async function prepareSettings(
  call: PreparationCall,
  { old_password, new_password, email }: SettingsInput,
): Promise<PreparedSettings> {
  const { mailer, tokens } = call.server
  return {
    password: new_password === undefined ? undefined : await changedPassword(call, old_password, new_password),
    token: email === undefined || !mailer.isConfigured ? undefined : await tokens.make(),
  }
}

/** Changes all given settings or none. */
export async function updateSettings(
  tx: ActorTx,
  { old_password: _old, new_password: _new, ...input }: SettingsInput,
  { password, token }: PreparedSettings,
): Promise<Record<string, never>> {
  const { email, ...others } = input
  if (password !== undefined) await changePassword(tx, password)
  const user = await changeOwnAccount(tx, token === undefined ? input : others)
  if (email !== undefined && token !== undefined && email.trim() !== user.deliveryEmail) {
    await requireMayChangeOwnEmail(tx)
    await requestAddressChange(tx, user, email, token)
  }
  return {}
}

async function changedPassword(call: PreparationCall, before: string, password: string): Promise<PasswordChange> {
  const { organization } = call.log
  const { id, fullName, deliveryEmail } = knownUser(organization, call.actor.userId)
  const old = await requirePassword(call, before)
  const ownWords = [fullName, deliveryEmail, organizationOf(organization).name]
  const permit = `user ${organization.id}:${id}`
  return { old, new: await hashChosenPassword(call, { password, ownWords, permit }) }
}

export async function updateDisplaySettings(
  tx: ActorTx,
  input: Input<typeof contract.updateDisplaySettings>,
  prepared: PreparedSettings,
): Promise<Record<string, never>> {
  return updateSettings(tx, input, prepared)
}

export async function updateNotificationSettings(
  tx: ActorTx,
  input: Input<typeof contract.updateNotificationSettings>,
  prepared: PreparedSettings,
): Promise<Record<string, never>> {
  return updateSettings(tx, input, prepared)
}

async function changeOwnAccount(
  tx: ActorTx,
  { full_name, email, ...settings }: Omit<SettingsInput, 'old_password' | 'new_password'>,
): Promise<UserRow> {
  const before = knownUser(tx.organization, tx.actor.userId)
  if (full_name !== undefined && full_name.trim() !== before.fullName) {
    requireMayChangeOwnName(tx)
    await requireNoNewcomerLinks(tx, tx.actor, [full_name])
  }
  if (email !== undefined && email.trim() !== before.deliveryEmail) await requireMayChangeOwnEmail(tx)
  if (email !== undefined) await requireAllowedAddress(tx.organization, email, before)
  const { user } = await changeUser(tx, before, { fullName: full_name, email })
  const after = await changePersonalSettings(tx, user, settings)
  emitInheritedSettings(tx, before, after)
  return after
}

export async function updateUserSettingsDefaults(
  tx: ActorTx,
  input: Input<typeof contract.updateUserSettingsDefaults>,
): Promise<Record<string, never>> {
  if (!isAdministrator(tx.actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
  await changeUserSettingsDefaults(tx, input)
  return {}
}

function requireMayChangeOwnName({ organization, actor }: ActorTx): void {
  if (settingOf(organization, 'name_changes_disabled') && !isAdministrator(actor)) {
    throw new ApiError('BAD_REQUEST', 'Name changes are disabled in this organization.')
  }
}

async function requireMayChangeOwnEmail(tx: ActorTx): Promise<void> {
  if (!mayChangeOwnEmail(tx.organization, tx.actor)) {
    throw new ApiError('BAD_REQUEST', 'Email address changes are disabled in this organization.')
  }
  // Anyone who receives email at the new address can reset the password.
  await requireRecentConfirmation(tx)
}
