import type { World } from '../../kernel/fold.ts'
import { isCovered, type Member } from '../groups/rules.ts'
import { groupSetting } from '../organizations/queries.ts'
import { isAdministrator } from '../users/rules.ts'
import type { EmojiRow } from './queries.ts'

export function mayAddEmoji(world: World, member: Member): boolean {
  return isCovered(world, member, groupSetting(world, 'can_add_custom_emoji_group'))
}

/** Administrators, and who added it while still being one of those who may. */
export function mayDeactivateEmoji(world: World, member: Member, emoji: EmojiRow): boolean {
  return isAdministrator(member) || (emoji.authorId === member.userId && mayAddEmoji(world, member))
}
