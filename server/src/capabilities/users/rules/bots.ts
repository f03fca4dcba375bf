import { ROLE, type Role } from '../../../kernel/actor.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Member } from '../../groups/rules.ts'
import { members, userById, usersProjection, type UserRow } from '../queries/index.ts'
import { isAdministrator } from './index.ts'

/**
 * Whether the member may change the bot, end it and have its key: its owner may, unless the owner is a guest, and
 * administrators, who thereby can do all that it can.
 */
export function mayManageBot(member: Member, bot: UserRow): boolean {
  if (bot.botType === null || bot.isSystemBot) return false
  if (bot.botOwnerId === member.userId) return member.role !== ROLE.guest
  return isAdministrator(member) && (member.role === ROLE.owner || bot.role !== ROLE.owner)
}

/**
 * Whether the member may end the bot: members who manage the bot may, and so may its owner, also one who is a guest
 * by now.
 */
export function mayEndBot(member: Member, bot: UserRow): boolean {
  return mayManageBot(member, bot) || (bot.botOwnerId === member.userId && !bot.isSystemBot)
}

/** The role that a bot may have at most: that of its owner. Higher roles have lower numbers. */
export function roleUnder(organization: OrganizationState, ownerId: number | null, role: Role): Role {
  const owner = ownerId === null ? undefined : userById(organization, ownerId)
  return owner !== undefined && owner.role > role ? owner.role : role
}

/** The bots of an owner. */
export function botsOf(organization: OrganizationState, ownerId: number): UserRow[] {
  return [...organization.of(usersProjection).bots.values()].filter((bot) => bot.botOwnerId === ownerId)
}

/** Whether a bot's owner has an account that has ended. */
export function isOrphaned(organization: OrganizationState, bot: UserRow): boolean {
  return bot.botOwnerId !== null && userById(organization, bot.botOwnerId)?.isActive === false
}

/** All members who manage a bot, which may be given as it was or as it is to be. */
export function managersOf(organization: OrganizationState, bot: UserRow): number[] {
  const people = members(organization).map((user) => (user.id === bot.id ? bot : user))
  return people.filter(({ id, role }) => mayManageBot({ userId: id, role }, bot)).map(({ id }) => id)
}

/** The bots that a member manages, ended ones too. */
export function botsManagedBy(organization: OrganizationState, member: Member): UserRow[] {
  return [...organization.of(usersProjection).bots.values()].filter((bot) => mayManageBot(member, bot))
}

/** The bot of an id, for a member who manages it, or for a member who may end it. */
export function managedBotById(
  organization: OrganizationState,
  member: Member,
  botId: number,
  may = mayManageBot,
): UserRow {
  const bot = userById(organization, botId)
  if (bot === undefined || bot.botType === null || bot.isSystemBot) throw new Refusal('BAD_REQUEST', 'No such bot')
  if (!may(member, bot)) throw new Refusal('BAD_REQUEST', 'Insufficient permission')
  return bot
}
