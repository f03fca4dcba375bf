import type { OrganizationState } from '../../kernel/projection.ts'
import { isCovered, type Member } from '../groups/rules.ts'
import { groupSetting } from '../organizations/queries/index.ts'
import { isAdministrator } from '../users/rules/index.ts'
import type { EmojiRow } from './queries.ts'

/** Width and height in pixels: twice the size of an emoji in a message. */
export const EMOJI_SIDE_PIXELS = 64

export function mayAddEmoji(organization: OrganizationState, member: Member): boolean {
  return isCovered(organization, member, groupSetting(organization, 'can_add_custom_emoji_group'))
}

export function mayDeactivateEmoji(organization: OrganizationState, member: Member, emoji: EmojiRow): boolean {
  return isAdministrator(member) || (emoji.authorId === member.userId && mayAddEmoji(organization, member))
}
