import { ROLE, type Role } from '../../../kernel/actor.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Member } from '../../groups/rules.ts'
import { nonSystemUsers, userById, usersProjection, type UserRow } from '../queries/index.ts'
import { isAdministrator } from './index.ts'

/** Whether the member owns the bot and is not a guest, or is an administrator whose role is at least the bot's. */
export function mayManageBot(member: Member, bot: UserRow): boolean {
  if (bot.botType === null || bot.isSystemBot) return false
  if (bot.botOwnerId === member.userId) return member.role !== ROLE.guest
  return isAdministrator(member) && (member.role === ROLE.owner || bot.role !== ROLE.owner)
}

/** Whether the member can manage the bot or is its owner, even as a guest. */
export function mayDeactivateBot(member: Member, bot: UserRow): boolean {
  return mayManageBot(member, bot) || (bot.botOwnerId === member.userId && !bot.isSystemBot)
}

/** Limits a role to the role of the bot's owner. Higher roles have lower numbers. */
export function roleLimitedByOwner(organization: OrganizationState, ownerId: number | null, role: Role): Role {
  const owner = ownerId === null ? undefined : userById(organization, ownerId)
  return owner !== undefined && owner.role > role ? owner.role : role
}

export function botsOf(organization: OrganizationState, ownerId: number): UserRow[] {
  return [...organization.of(usersProjection).bots.values()].filter((bot) => bot.botOwnerId === ownerId)
}

export function isOrphaned(organization: OrganizationState, bot: UserRow): boolean {
  return bot.botOwnerId !== null && userById(organization, bot.botOwnerId)?.isActive === false
}

export function managersOf(organization: OrganizationState, bot: UserRow): number[] {
  const people = nonSystemUsers(organization).map((user) => (user.id === bot.id ? bot : user))
  return people.filter(({ id, role }) => mayManageBot({ userId: id, role }, bot)).map(({ id }) => id)
}

export function botsManagedBy(organization: OrganizationState, member: Member): UserRow[] {
  return [...organization.of(usersProjection).bots.values()].filter((bot) => mayManageBot(member, bot))
}

export function managedBotById(
  organization: OrganizationState,
  member: Member,
  botId: number,
  may = mayManageBot,
): UserRow {
  const bot = userById(organization, botId)
  if (bot === undefined || bot.botType === null || bot.isSystemBot) throw new ApiError('BAD_REQUEST', 'No such bot')
  if (!may(member, bot)) throw new ApiError('BAD_REQUEST', 'Insufficient permission')
  return bot
}
