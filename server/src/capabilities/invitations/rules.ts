import { ROLE, type Role, type ViewerRole } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import { groupById, type Group } from '../groups/queries.ts'
import { isCovered, type Member } from '../groups/rules.ts'
import { channelById, type Channel } from '../channels/queries/index.ts'
import { isDefaultChannel, canSeeChannel, maySubscribeOthers } from '../channels/rules/index.ts'
import { groupSetting, settingOf } from '../organizations/queries/index.ts'
import { userById } from '../users/queries/index.ts'
import { isAdministrator } from '../users/rules/index.ts'

interface InvitationFacts {
  readonly invitedBy: number
  readonly email: string | null
  readonly role: Role
}

export function requireMayInvite(
  organization: OrganizationState,
  member: Member,
  { email, role }: Pick<InvitationFacts, 'email' | 'role'>,
): void {
  const permission = email === null ? 'create_multiuse_invite_group' : 'can_invite_users_group'
  const isPerson = userById(organization, member.userId)?.botType === null
  if (!isPerson || !isCovered(organization, member, groupSetting(organization, permission))) {
    throw new ApiError('BAD_REQUEST', 'Insufficient permission')
  }
  if (role >= member.role) return
  if (role === ROLE.owner) throw new ApiError('BAD_REQUEST', 'Must be an organization owner')
  if (role === ROLE.administrator) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
  throw new ApiError('BAD_REQUEST', 'Insufficient permission')
}

/** Whether the inviter is still active and permitted to invite with this role. */
export function isInviterStillPermitted(organization: OrganizationState, invitation: InvitationFacts): boolean {
  const inviter = userById(organization, invitation.invitedBy)
  if (inviter?.isActive !== true) return false
  try {
    requireMayInvite(organization, { userId: inviter.id, role: inviter.role }, invitation)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Null stands for joining without an invitation. */
export function isValidInvitation(organization: OrganizationState, invitation: InvitationFacts | null): boolean {
  return invitation === null
    ? !settingOf(organization, 'invite_required')
    : isInviterStillPermitted(organization, invitation)
}

/** Whether the member can manage invitations with this role. Only owners can invite owners. */
export function mayManageRole(member: { readonly role: ViewerRole }, role: Role): boolean {
  return role !== ROLE.owner || member.role === ROLE.owner
}

export function mayManageOthersInvitations(member: { readonly role: ViewerRole }): boolean {
  return isAdministrator(member)
}

/** Returns undefined if the channel is hidden or missing. */
export function invitableChannel(
  organization: OrganizationState,
  member: Member,
  channelId: number,
): { readonly channel: Channel; readonly isAllowed: boolean } | undefined {
  const channel = channelById(organization, channelId)
  if (channel === undefined || channel.isArchived || !canSeeChannel(organization, member, channel)) return undefined
  return { channel, isAllowed: isDefaultChannel(channel) || maySubscribeOthers(organization, member, channel) }
}

export function invitableGroup(organization: OrganizationState, groupId: number): Group | undefined {
  const group = groupById(organization, groupId)
  return group === undefined || group.isSystemGroup || group.deactivated ? undefined : group
}

const ADDRESS_LIST_TOKENS =
  /"([^"]*)"|<([^<>]*)>|(\([^()]*\))|([,;\uFF0C\uFF1B\u3001\r\n\t])|[^",;\uFF0C\uFF1B\u3001<>()\r\n\t]+|["<>()]/g
const COMMAS = [',', '\uFF0C']

/** Removes names, as in `"Doe, Ann" <a@b.c>; d@e.f (Dan)`, but keeps other entries that are not addresses. */
export function parseAddressList(list: string): string[] {
  const found: string[] = []
  /** Words before commas, which are parts of a name if an address in brackets follows: `Doe, Ann <a@b.c>`. */
  let words: string[] = []
  let [quoted, text] = ['', '']
  const end = (separator?: string): void => {
    const written = text.trim().replace(/^'([^']*)'$/, '$1') || quoted.trim()
    const parts = written.split(/\s+/)
    ;[quoted, text] = ['', '']
    if (parts.every((part) => part.includes('@'))) found.push(...words, ...parts)
    else if (separator !== undefined && COMMAS.includes(separator)) return void words.push(written)
    else found.push(...words, written)
    words = []
  }
  for (const [piece, name, address, comment, separator] of list.matchAll(ADDRESS_LIST_TOKENS)) {
    if (name !== undefined) quoted += name
    else if (address !== undefined) {
      text = address.trim() || piece
      words = []
      end()
    } else if (separator !== undefined) end(separator)
    else if (comment === undefined) text += piece
  }
  end()
  return found.map((address) => address.replace(/^mailto:/i, '')).filter((address) => address !== '')
}
