import type { World } from '../../kernel/fold.ts'
import { ROLE, type Actor, type Role } from '../../kernel/actor.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { setting } from '../organizations/queries.ts'
import { userByEmail, userById, usersFold, type UserRow } from './queries.ts'

/** The user an id names, for somebody who may see everybody. Refuses as if absent. */
export function knownUser(world: World, userId: number): UserRow {
  const user = userById(world, userId)
  if (user === undefined) throw new Refusal('BAD_REQUEST', 'No such user')
  return user
}

export function knownUserByEmail(world: World, email: string): UserRow {
  const user = userByEmail(world, email)
  if (user === undefined) throw new Refusal('BAD_REQUEST', 'No such user')
  return user
}

export function isAdministrator(actor: { role: Role }): boolean {
  return actor.role <= ROLE.administrator
}

/** Changing others' accounts takes an administrator; what touches an owner takes an owner. */
export function requireMayManage(actor: Actor, target: UserRow, newRole: Role = target.role): void {
  if (!isAdministrator(actor) || target.isSystemBot) throw new Refusal('BAD_REQUEST', 'Insufficient permission')
  if (actor.role !== ROLE.owner && (target.role === ROLE.owner || newRole === ROLE.owner)) {
    throw new Refusal('BAD_REQUEST', 'Must be an organization owner')
  }
}

const DAY_SECONDS = 86_400

/** Whether a member has been here for as long as the organization lets new members wait. */
export function isFullMember(world: World, user: Pick<UserRow, 'dateJoined'>, now: number): boolean {
  return now - user.dateJoined >= setting(world, 'waiting_period_threshold') * DAY_SECONDS
}

/** Whether the organization would have nobody left who owns it. */
export function isLastOwner(world: World, target: UserRow): boolean {
  if (target.role !== ROLE.owner || !target.isActive) return false
  for (const user of world.of(usersFold).byId.values()) {
    if (user.id !== target.id && user.role === ROLE.owner && user.isActive && user.botType === null) return false
  }
  return true
}
