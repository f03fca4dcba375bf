import { ROLE } from '../../../kernel/actor.ts'
import type { World } from '../../../kernel/fold.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Member } from '../../groups/rules.ts'
import { members, userById, usersFold, type UserRow } from '../queries.ts'
import { isAdministrator } from '../rules.ts'

/** Whether the member may change the bot, end it and have its key: its owner may, and administrators, who thereby can do all that it can. */
export function mayManageBot(member: Member, bot: UserRow): boolean {
  if (bot.botType === null || bot.isSystemBot) return false
  if (bot.botOwnerId === member.userId) return true
  return isAdministrator(member) && (member.role === ROLE.owner || bot.role !== ROLE.owner)
}

/** Everybody who manages a bot, given as it was or is to be. */
export function managersOf(world: World, bot: UserRow): number[] {
  const people = members(world).map((user) => (user.id === bot.id ? bot : user))
  return people.filter(({ id, role }) => mayManageBot({ userId: id, role }, bot)).map(({ id }) => id)
}

/** The bots that a member manages, ended ones too. */
export function botsManagedBy(world: World, member: Member): UserRow[] {
  return [...world.of(usersFold).bots.values()].filter((bot) => mayManageBot(member, bot))
}

/** The bot that an id names, for somebody who manages it. */
export function managedBotById(world: World, member: Member, botId: number): UserRow {
  const bot = userById(world, botId)
  if (bot === undefined || bot.botType === null || bot.isSystemBot) throw new Refusal('BAD_REQUEST', 'No such bot')
  if (!mayManageBot(member, bot)) throw new Refusal('BAD_REQUEST', 'Insufficient permission')
  return bot
}
