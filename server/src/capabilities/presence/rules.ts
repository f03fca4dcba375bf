import type { World } from '../../kernel/fold.ts'
import type { Member } from '../groups/rules.ts'
import { setting } from '../organizations/queries.ts'
import { userSetting, type UserRow } from '../users/queries.ts'
import { maySee } from '../users/rules/sight.ts'

/** Whether the person's presence is kept and shown at all: by their own setting and the organization's. */
export function hasPresence(world: World, user: UserRow): boolean {
  if (!user.isActive || user.botType !== null || setting(world, 'presence_disabled')) return false
  return userSetting(user, 'presence_enabled')
}

/** Whether the viewer may know when the person is there. */
export function maySeePresence(world: World, viewer: Member, user: UserRow): boolean {
  return hasPresence(world, user) && maySee(world, viewer, user)
}
