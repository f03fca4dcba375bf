import type { OrganizationState } from '../../kernel/projection.ts'
import { isCovered, type Member } from '../groups/rules.ts'
import { groupSetting } from '../organizations/queries/index.ts'
import { isAdministrator } from '../users/rules/index.ts'
import type { EmojiRow } from './queries.ts'

/** The width and height of an emoji in pixels: twice what it takes in a line of text. */
export const EMOJI_SIDE = 64

export function mayAddEmoji(organization: OrganizationState, member: Member): boolean {
  return isCovered(organization, member, groupSetting(organization, 'can_add_custom_emoji_group'))
}

/** Administrators may, and so may the emoji's author as long as the author may add emoji. */
export function mayDeactivateEmoji(organization: OrganizationState, member: Member, emoji: EmojiRow): boolean {
  return isAdministrator(member) || (emoji.authorId === member.userId && mayAddEmoji(organization, member))
}
