import type { World } from '../../kernel/fold.ts'
import { isOpen, isSubscribed, subscriptionsFold } from '../channels/queries.ts'
import { isCovered, type Member } from '../groups/rules.ts'
import { groupSetting, setting } from '../organizations/queries.ts'
import { userSetting, type UserRow } from '../users/queries.ts'

/** Whether the person's presence is kept and shown at all: by their own setting and the organization's. */
export function hasPresence(world: World, user: UserRow): boolean {
  if (!user.isActive || user.botType !== null || setting(world, 'presence_disabled')) return false
  return userSetting(user, 'presence_enabled')
}

/** Whether the viewer may know of the person: who may not see everybody sees those in the same channels. */
export function mayAccess(world: World, viewer: Member, user: UserRow): boolean {
  if (user.id === viewer.userId) return true
  if (isCovered(world, viewer, groupSetting(world, 'can_access_all_users_group'))) return true
  const own = world.of(subscriptionsFold).byUser.get(viewer.userId)?.values() ?? []
  return [...own].some((one) => isOpen(one) && isSubscribed(world, user.id, one.channelId))
}

/** Whether the viewer may know when the person is there. */
export function maySeePresence(world: World, viewer: Member, user: UserRow): boolean {
  return hasPresence(world, user) && mayAccess(world, viewer, user)
}
