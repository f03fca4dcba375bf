import { ROLE, type Role } from '../../../kernel/actor.ts'
import { everyone } from '../../../kernel/audience.ts'
import { isPrintable, hasVisibleCharacter, similarityKey } from '../../../kernel/characters.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import { countCodePoints } from '../../../kernel/schemas.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { emitActivationAsGroupChanges, moveBetweenRoleGroups } from '../../groups/actions/changes.ts'
import type { SystemGroupName } from '../../groups/contract/permissions.ts'
import { groupsAfter, type GroupChange } from '../../groups/queries.ts'
import { systemGroupsOfRole } from '../../groups/rules.ts'
import { emitPermissionsWithUser } from '../../organizations/actions/index.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { emitEmailChange, emitAddressesTo, apiEmail, availableEmail } from './addresses.ts'
import { emitBotChange, emitBotOwner, emitManagedBotsForRole } from '../../bots/actions/emit.ts'
import { revokeAccountLinks } from '../../account-links/actions/links.ts'
import { emitExportConsent } from '../../data-exports/actions.ts'
import { cancelMailsTo } from '../../mail/actions/index.ts'
import { emitPeopleTo, registerNewcomer } from './visibility.ts'
import { emitAwayChange } from './status.ts'
import { BOT_TYPE } from '../contract/bots.ts'
import { isTimezone, MAX_FULL_NAME_CHARACTERS, userAdded, userUpdated } from '../contract/index.ts'
import {
  avatarFields,
  isAway,
  newUserSettings,
  NO_BOT_HABITS,
  userSetting,
  usersProjection,
  type BotHabits,
  type NewAccountSettings,
  type UserRow,
} from '../queries/index.ts'
import { presentUserWithProfile } from '../queries/people.ts'
import { isFullMember, isLastOwner } from '../rules/index.ts'

export interface NewUser {
  readonly email: string
  readonly fullName: string
  readonly role: Role
  readonly botType?: number
  readonly botOwnerId?: number
  readonly botHabits?: BotHabits
  readonly avatarFile?: string | null
  readonly chosen?: NewAccountSettings | undefined
}

export async function addUser(tx: Tx, input: NewUser): Promise<UserRow> {
  const { chosen = {} } = input
  const { timezone = '' } = chosen
  const deliveryEmail = availableEmail(tx.organization, input.email)
  const person = {
    id: tx.nextId(),
    deliveryEmail,
    fullName: validateUserName(tx, input.fullName, { isBot: input.botType !== undefined }),
    role: input.role,
    isActive: true,
    botType: input.botType ?? null,
    botOwnerId: input.botOwnerId ?? null,
    isSystemBot: false,
    dateJoined: tx.now,
    timezone: isTimezone(timezone) ? timezone : '',
    avatarVersion: 1,
    avatarFile: input.avatarFile ?? null,
    settings: newUserSettings(tx.organization, chosen),
    profile: {},
    botHabits: input.botHabits ?? NO_BOT_HABITS,
  }
  const row: UserRow = { ...person, email: apiEmail(tx.organization, person) }
  await insertUser(tx, row)
  registerNewcomer(tx, row)
  tx.emit(userAdded, { person: presentUserWithProfile(row, { userId: row.id, role: row.role }, false) }, everyone)
  if (row.botType === null && userSetting(row, 'allow_private_data_export')) emitExportConsent(tx, row.id, true)
  if (isAway(row)) emitAwayChange(tx, row)
  await moveBetweenRoleGroups(tx, row.id, roleGroups(tx, row))
  return row
}

/** Belongs to a reserved domain, so no other account can have this address. */
export const NOTIFICATION_BOT_EMAIL = 'notification-bot@parley.invalid'

export async function addNotificationBot(tx: Tx): Promise<void> {
  await insertUser(tx, {
    id: tx.nextId(),
    email: NOTIFICATION_BOT_EMAIL,
    deliveryEmail: NOTIFICATION_BOT_EMAIL,
    fullName: 'Notification Bot',
    role: ROLE.member,
    isActive: true,
    botType: BOT_TYPE.generic,
    botOwnerId: null,
    isSystemBot: true,
    dateJoined: tx.now,
    timezone: '',
    avatarVersion: 1,
    avatarFile: null,
    settings: {},
    profile: {},
    botHabits: NO_BOT_HABITS,
  })
}

async function insertUser(tx: Tx, row: UserRow): Promise<void> {
  await tx.db
    .insertInto('users')
    .values({
      organization_id: tx.organizationId,
      id: row.id,
      bot_type: row.botType,
      is_system_bot: row.isSystemBot,
      date_joined: row.dateJoined,
      ...changeableColumns(row),
    })
    .execute()
  tx.change(usersProjection, row)
}

export async function writeUser(tx: Tx, row: UserRow): Promise<void> {
  await tx.db
    .updateTable('users')
    .set(changeableColumns(row))
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', row.id)
    .execute()
  tx.change(usersProjection, row)
}

function changeableColumns(row: UserRow): {
  email: string
  email_key: string
  delivery_email: string
  delivery_email_key: string
  full_name: string
  role: number
  is_active: boolean
  bot_owner_id: number | null
  timezone: string
  avatar_version: number
  avatar_file: string | null
  settings: string
  profile_data: string
  bot_habits: string
} {
  return {
    email: row.email,
    email_key: caseKey(row.email),
    delivery_email: row.deliveryEmail,
    delivery_email_key: caseKey(row.deliveryEmail),
    full_name: row.fullName,
    role: row.role,
    is_active: row.isActive,
    bot_owner_id: row.botOwnerId,
    timezone: row.timezone,
    avatar_version: row.avatarVersion,
    avatar_file: row.avatarFile,
    settings: JSON.stringify(row.settings),
    profile_data: JSON.stringify(row.profile),
    bot_habits: JSON.stringify(row.botHabits),
  }
}

export async function changeUser(
  tx: Tx,
  before: UserRow,
  input: { fullName?: string | undefined; role?: Role | undefined; email?: string | undefined },
): Promise<{ user: UserRow; organization: OrganizationState }> {
  const { role = before.role } = input
  const fullName =
    input.fullName === undefined
      ? before.fullName
      : validateUserName(tx, input.fullName, { isBot: before.botType !== null, own: before })
  const deliveryEmail =
    input.email === undefined ? before.deliveryEmail : availableEmail(tx.organization, input.email, before)
  if (fullName === before.fullName && role === before.role && deliveryEmail === before.deliveryEmail) {
    return { user: before, organization: tx.organization }
  }
  if (role !== ROLE.owner && isLastOwner(tx.organization, before)) {
    throw new ApiError('BAD_REQUEST', 'The owner permission cannot be removed from the only organization owner.')
  }
  const changed = { ...before, fullName, role, deliveryEmail }
  const user = { ...changed, email: apiEmail(tx.organization, changed) }
  await writeUser(tx, user)
  if (deliveryEmail !== before.deliveryEmail) {
    // Pending links were sent to the old address or would replace the new address. Queued emails have the old address.
    await revokeAccountLinks(tx, user.id)
    await cancelMailsTo(tx, user.id)
  }
  if (fullName !== before.fullName) {
    tx.emit(userUpdated, { person: { user_id: user.id, full_name: fullName } }, everyone)
  }
  const organization = role === before.role ? tx.organization : await emitRoleChange(tx, before, user)
  emitEmailChange(tx, before, user)
  await emitBotChange(tx, before, user)
  return { user, organization }
}

export async function changeBot(
  tx: Tx,
  before: UserRow,
  input: Partial<Pick<UserRow, 'botOwnerId' | 'botHabits'>>,
): Promise<UserRow> {
  const bot = { ...before, ...input }
  await writeUser(tx, bot)
  if (bot.botOwnerId !== null && bot.botOwnerId !== before.botOwnerId) emitBotOwner(tx, bot, bot.botOwnerId)
  await emitBotChange(tx, before, bot)
  return bot
}

async function emitRoleChange(tx: Tx, before: UserRow, user: UserRow): Promise<OrganizationState> {
  tx.emit(userUpdated, { person: { user_id: user.id, role: user.role } }, everyone)
  emitAddressesTo(tx, before, user)
  await emitManagedBotsForRole(tx, before, user.role)
  if (!user.isActive) return tx.organization
  const after = groupsAfter(tx.organization, await moveBetweenRoleGroups(tx, user.id, roleGroups(tx, user)))
  emitPeopleTo(tx, before, user.role)
  return after
}

export async function changeAvatar(tx: Tx, target: UserRow, avatarFile: string | null): Promise<UserRow> {
  const changed: UserRow = { ...target, avatarFile, avatarVersion: target.avatarVersion + 1 }
  await writeUser(tx, changed)
  const person = { user_id: target.id, ...avatarFields(changed), avatar_version: changed.avatarVersion }
  tx.emit(userUpdated, { person }, everyone)
  await emitBotChange(tx, target, changed)
  return changed
}

/** The caller checks permissions. Returns the organization with its groups after the change. */
export async function setUsersActive(
  tx: Tx,
  targets: readonly UserRow[],
  isActive: boolean,
): Promise<OrganizationState> {
  const changes: GroupChange[] = []
  for (const target of targets) {
    const changed = { ...target, isActive }
    await writeUser(tx, changed)
    tx.emit(userUpdated, { person: { user_id: target.id, is_active: isActive } }, everyone)
    await emitBotChange(tx, target, changed)
    changes.push(...(await moveBetweenRoleGroups(tx, target.id, isActive ? roleGroups(tx, target) : [])))
  }
  const after = groupsAfter(tx.organization, changes)
  for (const target of targets) {
    emitActivationAsGroupChanges(tx, target.id, after)
    emitPermissionsWithUser(tx, target.id, after)
  }
  return after
}

function roleGroups(tx: Tx, user: Pick<UserRow, 'role' | 'dateJoined'>): readonly SystemGroupName[] {
  return systemGroupsOfRole(user.role, isFullMember(tx.organization, user, tx.now))
}

/** Prevents bots from having another account's name: people could mistake a bot's messages for that account's. */
export function requireFreeBotName(tx: Tx, name: string): void {
  const key = similarityKey(name)
  for (const { fullName, isActive } of tx.organization.of(usersProjection).byId.values()) {
    if (isActive && similarityKey(fullName) === key) throw new ApiError('BAD_REQUEST', 'Name is already in use.')
  }
}

/** Returns the first name that is allowed. @throws ApiError BAD_REQUEST if no name is allowed */
export function firstAllowedName(tx: Tx, names: readonly string[]): string {
  let refusal = new ApiError('BAD_REQUEST', 'Name too short!')
  for (const name of names) {
    try {
      return validateUserName(tx, name, { isBot: false })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusal = error
    }
  }
  throw refusal
}

function validateUserName(tx: Tx, name: string, { isBot, own }: { isBot: boolean; own?: UserRow }): string {
  const trimmed = name.trim().normalize('NFC')
  // Clients also send the unchanged name when they change other values.
  if (trimmed === own?.fullName) return trimmed
  if (!hasVisibleCharacter(trimmed)) throw new ApiError('BAD_REQUEST', 'Name too short!')
  if (countCodePoints(trimmed) > MAX_FULL_NAME_CHARACTERS) throw new ApiError('BAD_REQUEST', 'Name too long!')
  // These characters have a meaning in mentions, such as `@**name|id**`.
  if (!isPrintable(trimmed) || /[*`\\><"@]|\|\d+$/.test(trimmed))
    throw new ApiError('BAD_REQUEST', 'Invalid characters in name!')
  const key = similarityKey(trimmed)
  const { byId, notificationBot } = tx.organization.of(usersProjection)
  // Prevents impersonation of the server's own bot, which people trust.
  if (key === similarityKey(notificationBot?.fullName ?? ''))
    throw new ApiError('BAD_REQUEST', 'Name is already in use.')
  if (key === similarityKey(own?.fullName ?? '')) return trimmed
  if (isBot) requireFreeBotName(tx, trimmed)
  if (settingOf(tx.organization, 'require_unique_names')) {
    for (const { fullName } of byId.values()) {
      if (similarityKey(fullName) === key) {
        throw new ApiError('BAD_REQUEST', 'Unique names required in this organization.')
      }
    }
  }
  return trimmed
}
