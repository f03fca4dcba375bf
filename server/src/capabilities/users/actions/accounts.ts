import { ROLE, type Actor, type Role } from '../../../kernel/actor.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import { readerOf, type PreparationCall } from '../../../platform/request.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { deleteQueuesOfUser } from '../../../platform/queues/store.ts'
import {
  addCredentials,
  hashNewPassword,
  storeDeactivationComment,
  renewApiKey,
  replaceApiKey,
} from '../../authentication/actions/index.ts'
import { suspendOrResumeInChannels, emitChannelVisibilityForRole } from '../../channels/actions/access.ts'
import { requireRecentConfirmation } from '../../authentication/actions/owner.ts'
import { addSubscribers } from '../../channels/actions/subscriptions.ts'
import { channelById, type Channel } from '../../channels/queries/index.ts'
import { defaultChannels } from '../../channels/rules/index.ts'
import { changeMembers } from '../../groups/actions/changes.ts'
import type { Group } from '../../groups/queries.ts'
import { queueAddressChangedMail, queueWelcomeMail } from '../../account-links/actions/mails.ts'
import { revokeAccessExceptApiKeys, revokeAccess } from '../../account-links/actions/passwords.ts'
import { removeBan, requireMayChangeIfBanned } from '../../bans/actions/removing.ts'
import { deleteChannelAddressesOf } from '../../incoming-mail/actions/addresses.ts'
import { requireAllowedAddress } from './addresses.ts'
import { createOrganization, type NewOrganization } from '../../organizations/actions/index.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import {
  addNotificationBot,
  addUser,
  changeBot,
  changeUser,
  requireFreeBotName,
  setUsersActive,
  type NewUser,
} from './index.ts'
import { emitBotKey, emitBotServices, emitNewBot } from '../../bots/actions/emit.ts'
import { addService, pauseServices, replaceWebhookToken, type ChosenService } from '../../bots/actions/payload-urls.ts'
import { cancelMailsTo } from '../../mail/actions/index.ts'
import { changeProfile } from './profile.ts'
import type { BotService } from '../contract/bots.ts'
import type { Newcomer } from '../queries/accounts.ts'
import type { UserRow } from '../queries/index.ts'
import { requireVisibleUser } from '../rules/visibility.ts'
import { isAdministrator, isLastOwner, knownUser, knownUserByEmail, requireMayManage } from '../rules/index.ts'
import { botsOf, isOrphaned, mayDeactivateBot, roleLimitedByOwner } from '../rules/bots.ts'
import type * as contract from '../contract/accounts.ts'

/** Creates an organization in the transaction that starts its log. */
export async function createOrganizationWithBot(tx: Tx, input: NewOrganization): Promise<void> {
  await createOrganization(tx, input)
  await addNotificationBot(tx)
}

export interface AccountOverrides {
  readonly channels?: readonly Channel[]
  readonly groups?: readonly Group[]
  readonly welcomeText?: string | null
  readonly referrerId?: number | null
  /** Sent if the organization has no own welcome message. Omitted for accounts that others create, to save emails. */
  readonly standardWelcome?: string
}

export async function createAccount(
  tx: Tx,
  input: NewUser & { readonly service?: ChosenService | undefined },
  passwordHash: string | null,
  beginning: AccountOverrides = {},
): Promise<{ user: UserRow; apiKey: string; services: BotService[] }> {
  const user = await addUser(tx, {
    ...input,
    role: roleLimitedByOwner(tx.organization, input.botOwnerId ?? null, input.role),
  })
  const { apiKey } = await addCredentials(tx, user, passwordHash)
  const services = input.service === undefined ? [] : [await addService(tx, user, input.service)]
  if (user.botType !== null) {
    emitNewBot(tx, user, apiKey, services)
    return { user, apiKey, services }
  }
  for (const channel of beginning.channels ?? defaultChannelsFor(tx, user)) {
    await addSubscribers(tx, channel, [user.id], { isNew: true })
  }
  for (const group of beginning.groups ?? []) await changeMembers(tx, group, { add: [user.id] })
  await recordNewcomer(tx, user, beginning)
  return { user, apiKey, services }
}

function defaultChannelsFor({ organization }: Tx, user: UserRow): Channel[] {
  return defaultChannels(organization, user)
    .map((id) => channelById(organization, id))
    .filter((channel) => channel !== undefined)
}

async function recordNewcomer(
  tx: Tx,
  { id }: UserRow,
  { welcomeText = null, referrerId = null, standardWelcome = '' }: AccountOverrides,
): Promise<void> {
  const common = settingOf(tx.organization, 'welcome_message_custom_text')
  const own = welcomeText ?? (common === '' && standardWelcome !== '' ? standardWelcome : null)
  const isAnnounced = settingOf(tx.organization, 'signup_announcements_stream_id') > 0
  if ((own ?? common) === '' && !isAnnounced && referrerId === null) return
  await tx.db
    .insertInto('newcomers')
    .values({ organization_id: tx.organizationId, user_id: id, welcome_text: own, referrer_id: referrerId })
    .execute()
}

export async function removeNewcomer(tx: Tx, userId: number): Promise<Newcomer | undefined> {
  return tx.db
    .deleteFrom('newcomers')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .returning(['welcome_text as welcomeText', 'referrer_id as referrerId'])
    .executeTakeFirst()
}

export async function prepareUser(
  call: PreparationCall,
  { password }: Input<typeof contract.createUser>,
): Promise<string> {
  requireMayCreateUsers(call.actor)
  await requireRecentConfirmation(readerOf(call))
  return hashNewPassword(password)
}

export async function createUser(
  tx: ActorTx,
  { email, full_name: fullName }: Input<typeof contract.createUser>,
  passwordHash: string,
  server: ServerFacts,
): Promise<Output<typeof contract.createUser>> {
  requireMayCreateUsers(tx.actor)
  await requireAllowedAddress(tx.organization, email)
  const { user } = await createAccount(tx, { email, fullName, role: ROLE.member }, passwordHash)
  await queueWelcomeMail(tx, server, user, knownUser(tx.organization, tx.actor.userId))
  return { user_id: user.id }
}

function requireMayCreateUsers(actor: Actor): void {
  if (!isAdministrator(actor)) throw new ApiError('BAD_REQUEST', 'User not authorized to create users')
}

export async function updateUser(
  tx: ActorTx,
  input: Input<typeof contract.updateUser>,
  server: ServerFacts,
): Promise<Record<string, never>> {
  return updateAccount(tx, requireVisibleUser(tx.organization, tx.actor, input.user_id), input, server)
}

export async function updateUserByEmail(
  tx: ActorTx,
  input: Input<typeof contract.updateUserByEmail>,
  server: ServerFacts,
): Promise<Record<string, never>> {
  return updateAccount(tx, knownUserByEmail(tx.organization, tx.actor, input.email), input, server)
}

async function updateAccount(
  tx: ActorTx,
  target: UserRow,
  input: Pick<Input<typeof contract.updateUser>, 'full_name' | 'role' | 'new_email' | 'profile_data'>,
  server: ServerFacts,
): Promise<Record<string, never>> {
  requireMayManage(tx.actor, target, input.role)
  await requireMayChangeIfBanned(tx, target)
  const { full_name: fullName, role, new_email: email, profile_data = [] } = input
  if (email !== undefined) await requireAllowedAddress(tx.organization, email, target)
  const isMoving = email !== undefined && email.trim() !== target.deliveryEmail
  if (isMoving || grantsAdministration(target, role)) await requireRecentConfirmation(tx)
  const user = await changeAccount(tx, target, { fullName, role, email })
  if (caseKey(user.deliveryEmail) !== caseKey(target.deliveryEmail)) {
    await queueAddressChangedMail(tx, server, target, user.deliveryEmail)
  }
  await changeProfile(tx, user, profile_data, server)
  return {}
}

/** Whether a user would become an administrator or owner, which a stolen session could use to gain lasting access. */
export function grantsAdministration(target: UserRow, role: Role | undefined): boolean {
  return role !== undefined && role !== target.role && (role === ROLE.owner || role === ROLE.administrator)
}

/** Also demotes the user's bots. The caller checks permissions. @throws ApiError if a bot would outrank its owner */
export async function changeAccount(
  tx: Tx,
  target: UserRow,
  input: Parameters<typeof changeUser>[2],
): Promise<UserRow> {
  const { role } = input
  if (
    role !== undefined &&
    target.botType !== null &&
    roleLimitedByOwner(tx.organization, target.botOwnerId, role) !== role
  ) {
    throw new ApiError('BAD_REQUEST', 'A bot cannot have a higher role than its owner.')
  }
  if (role !== undefined && role > target.role && target.botType === null) {
    for (const bot of botsOf(tx.organization, target.id)) if (bot.role < role) await changeRole(tx, bot, { role })
  }
  return changeRole(tx, target, input)
}

async function changeRole(tx: Tx, target: UserRow, input: Parameters<typeof changeUser>[2]): Promise<UserRow> {
  const { user, organization } = await changeUser(tx, target, input)
  if (user.role !== target.role) await emitChannelVisibilityForRole(tx, target, user.role, organization)
  return user
}

/** Gives a bot to a new owner, with a new API key and service token. Ends its event queues and email addresses. */
export async function transferBotOwnership(tx: Tx, bot: UserRow, ownerId: number): Promise<UserRow> {
  const role = roleLimitedByOwner(tx.organization, ownerId, bot.role)
  const lowered = role === bot.role ? bot : await changeRole(tx, bot, { role })
  const apiKey = await replaceApiKey(tx, bot, true)
  await deleteChannelAddressesOf(tx, [bot.id])
  const service = await replaceWebhookToken(tx, bot)
  const given = await changeBot(tx, lowered, { botOwnerId: ownerId })
  emitBotKey(tx, given, apiKey)
  if (service !== undefined) emitBotServices(tx, given, [service])
  return given
}

export async function deactivateUser(
  tx: ActorTx,
  input: Input<typeof contract.deactivateUser>,
): Promise<Record<string, never>> {
  const target = requireVisibleUser(tx.organization, tx.actor, input.user_id)
  if (!mayDeactivateBot(tx.actor, target)) requireMayManage(tx.actor, target)
  await requireMayChangeIfBanned(tx, target)
  const comment = input.deactivation_notification_comment?.trim() ?? ''
  await deactivateAccount(tx, target)
  if (target.isActive && comment !== '') await storeDeactivationComment(tx, target.id, comment)
  return {}
}

export async function deactivateOwnUser(tx: ActorTx): Promise<Record<string, never>> {
  await requireRecentConfirmation(tx)
  await deactivateAccount(tx, knownUser(tx.organization, tx.actor.userId))
  return {}
}

export async function reactivateUser(
  tx: ActorTx,
  input: Input<typeof contract.reactivateUser>,
): Promise<Record<string, never>> {
  const target = requireVisibleUser(tx.organization, tx.actor, input.user_id)
  requireMayManage(tx.actor, target)
  await requireMayChangeIfBanned(tx, target)
  await requireRecentConfirmation(tx)
  const actor = knownUser(tx.organization, tx.actor.userId)
  await reactivateAccount(tx, target, actor.botType === null ? actor.id : undefined)
  return {}
}

/** `heirId` is the new owner of a bot whose owner is deactivated. */
export async function reactivateAccount(tx: Tx, target: UserRow, heirId: number | undefined): Promise<void> {
  if (target.isActive) return
  await removeBan(tx, target)
  // Accounts that were imported, or deactivated by older versions, still have credentials.
  if (target.botType === null) await revokeAccess(tx, target)
  const user = target.botType === null ? target : await prepareBotForReactivation(tx, target, heirId)
  const after = await setUsersActive(tx, [user], true)
  await storeDeactivationComment(tx, user.id, null)
  await suspendOrResumeInChannels(tx, user, true, after)
}

async function prepareBotForReactivation(tx: Tx, bot: UserRow, heirId: number | undefined): Promise<UserRow> {
  requireFreeBotName(tx, bot.fullName)
  if (!isOrphaned(tx.organization, bot)) return bot
  await pauseServices(tx, [bot])
  if (heirId !== undefined) return transferBotOwnership(tx, bot, heirId)
  await deleteChannelAddressesOf(tx, [bot.id])
  await renewApiKey(tx, bot, true)
  return bot
}

/** Deactivating a banned account replaces the ban, so that the account stays deactivated. */
export async function deactivateAccount(tx: Tx, target: UserRow): Promise<void> {
  if (!target.isActive) {
    await removeBan(tx, target)
    return
  }
  if (isLastOwner(tx.organization, target)) {
    throw new ApiError('CANNOT_DEACTIVATE_LAST_USER', 'Cannot deactivate the only organization owner.', {
      is_last_owner: true,
      entity: 'organization owner',
    })
  }
  const bots = botsOf(tx.organization, target.id).filter((bot) => bot.isActive)
  const users = [target, ...bots]
  const after = await setUsersActive(tx, users, false)
  for (const user of users) {
    await suspendOrResumeInChannels(tx, user, false, after)
    await deleteQueuesOfUser(tx, user.id)
    await cancelMailsTo(tx, user.id)
  }
  // API keys stay until reactivation, so that a request with the right key gets the reason why it is refused.
  if (target.botType === null) await revokeAccessExceptApiKeys(tx, target)
}
