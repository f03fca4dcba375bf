import { ROLE, type Role } from '../../kernel/actor.ts'
import { everyone } from '../../kernel/audience.ts'
import type { World } from '../../kernel/fold.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Tx } from '../../kernel/transaction.ts'
import { caseKey } from '../../kernel/case-key.ts'
import { codePoints } from '../../kernel/parameters.ts'
import { announceMember } from '../groups/actions/changes.ts'
import { changeRoleGroups } from '../groups/actions/system.ts'
import type { SystemGroupName } from '../groups/contract/permissions.ts'
import { groupsAfter, type GroupChange } from '../groups/queries.ts'
import { systemGroupsOfRole } from '../groups/rules.ts'
import { MAX_FULL_NAME, userAdded, userUpdated } from './contract/index.ts'
import { presentUserWithProfile, userByEmail, usersFold, type UserRow } from './queries.ts'
import { isFullMember, isLastOwner } from './rules.ts'

/** Names appear in mentions, between these: `@**name|id**`. */
const FORBIDDEN_IN_NAMES = /[*`\\><"@\p{Cc}\p{Noncharacter_Code_Point}]|\|\d+$/u
/** Without one of these a name cannot be seen. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u
const MAX_EMAIL = 254
/** `bot_type` of a bot that only calls the API. */
const DEFAULT_BOT = 1
/** One `@`, something on both sides, no white space: the mail server has the last word. */
const EMAIL = /^[^\s\p{Cc}@<>"`*\\]+@[^\s\p{Cc}@<>"`*\\]+$/u

export interface NewUser {
  readonly email: string
  readonly fullName: string
  readonly role: Role
  readonly botType?: number
  readonly botOwnerId?: number
}

/** Makes an account, without a way to log in yet. */
export async function addUser(tx: Tx, input: NewUser): Promise<UserRow> {
  const email = input.email.trim()
  if (!EMAIL.test(email) || email.length > MAX_EMAIL) throw new Refusal('BAD_REQUEST', 'Enter a valid email address.')
  if (userByEmail(tx.world, email) !== undefined) {
    throw new Refusal('BAD_REQUEST', `Email '${email}' already in use`)
  }
  const row: UserRow = {
    id: tx.take(),
    email,
    deliveryEmail: email,
    fullName: checkedName(input.fullName),
    role: input.role,
    isActive: true,
    botType: input.botType ?? null,
    botOwnerId: input.botOwnerId ?? null,
    isSystemBot: false,
    dateJoined: tx.now,
    timezone: '',
    avatarVersion: 1,
    settings: {},
  }
  await insertUser(tx, row)
  tx.emit(userAdded, { person: presentUserWithProfile(row, false, true) }, everyone)
  await changeRoleGroups(tx, row.id, roleGroups(tx, row))
  return row
}

/** Nobody has an address under this domain, so that nobody's account stands in the bot's way. */
const NOTIFICATION_BOT_EMAIL = 'notification-bot@parley.invalid'

/** Makes the bot in whose name the server writes. */
export async function addNotificationBot(tx: Tx): Promise<void> {
  await insertUser(tx, {
    id: tx.take(),
    email: NOTIFICATION_BOT_EMAIL,
    deliveryEmail: NOTIFICATION_BOT_EMAIL,
    fullName: 'Notification Bot',
    role: ROLE.member,
    isActive: true,
    botType: DEFAULT_BOT,
    botOwnerId: null,
    isSystemBot: true,
    dateJoined: tx.now,
    timezone: '',
    avatarVersion: 1,
    settings: {},
  })
}

async function insertUser(tx: Tx, row: UserRow): Promise<void> {
  await tx.db
    .insertInto('users')
    .values({
      organization_id: tx.organizationId,
      id: row.id,
      email: row.email,
      email_key: caseKey(row.email),
      delivery_email: row.deliveryEmail,
      delivery_email_key: caseKey(row.deliveryEmail),
      full_name: row.fullName,
      role: row.role,
      is_active: row.isActive,
      bot_type: row.botType,
      bot_owner_id: row.botOwnerId,
      is_system_bot: row.isSystemBot,
      date_joined: row.dateJoined,
      timezone: row.timezone,
      avatar_version: row.avatarVersion,
      settings: JSON.stringify(row.settings),
    })
    .execute()
  tx.change(usersFold, row)
}

/**
 * Changes a name or a role. Whether the actor may is the caller's business.
 * @returns the organization's groups as they will be
 */
export async function changeUser(tx: Tx, target: UserRow, input: { fullName: string; role: Role }): Promise<World> {
  const fullName = checkedName(input.fullName)
  const { role } = input
  if (fullName === target.fullName && role === target.role) return tx.world
  if (role !== ROLE.owner && isLastOwner(tx.world, target)) {
    throw new Refusal('BAD_REQUEST', 'The owner permission cannot be removed from the only organization owner.')
  }
  await tx.db
    .updateTable('users')
    .set({ full_name: fullName, role })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', target.id)
    .execute()
  tx.change(usersFold, { ...target, fullName, role })
  if (fullName !== target.fullName) {
    tx.emit(userUpdated, { person: { user_id: target.id, full_name: fullName } }, everyone)
  }
  if (role === target.role) return tx.world
  tx.emit(userUpdated, { person: { user_id: target.id, role } }, everyone)
  if (!target.isActive) return tx.world
  return groupsAfter(tx.world, await changeRoleGroups(tx, target.id, roleGroups(tx, { ...target, role })))
}

/**
 * Ends or resumes accounts. Whether the actor may is the caller's business.
 * @returns the organization's groups as they will be
 */
export async function setActive(tx: Tx, targets: readonly UserRow[], isActive: boolean): Promise<World> {
  const changes: GroupChange[] = []
  for (const target of targets) {
    await tx.db
      .updateTable('users')
      .set({ is_active: isActive })
      .where('organization_id', '=', tx.organizationId)
      .where('id', '=', target.id)
      .execute()
    tx.change(usersFold, { ...target, isActive })
    tx.emit(userUpdated, { person: { user_id: target.id, is_active: isActive } }, everyone)
    changes.push(...(await changeRoleGroups(tx, target.id, isActive ? roleGroups(tx, target) : [])))
  }
  const after = groupsAfter(tx.world, changes)
  for (const target of targets) announceMember(tx, target.id, after)
  return after
}

function roleGroups(tx: Tx, user: Pick<UserRow, 'role' | 'dateJoined'>): readonly SystemGroupName[] {
  return systemGroupsOfRole(user.role, isFullMember(tx.world, user, tx.now))
}

function checkedName(name: string): string {
  const trimmed = name.trim()
  if (!VISIBLE.test(trimmed)) throw new Refusal('BAD_REQUEST', 'Name too short!')
  if (codePoints(trimmed) > MAX_FULL_NAME) throw new Refusal('BAD_REQUEST', 'Name too long!')
  if (FORBIDDEN_IN_NAMES.test(trimmed)) throw new Refusal('BAD_REQUEST', 'Invalid characters in name!')
  return trimmed
}
