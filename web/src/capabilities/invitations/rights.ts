import type { groups } from '@parley/server/contract'
import { sendsEmail, store } from '../../platform/client.ts'
import { mayAddOthers } from '../channels/rights.ts'
import { allChannels, type Channel } from '../channels/state.ts'
import { ownGroups } from '../groups/members.ts'
import { mayAddMembers } from '../groups/rights.ts'
import { ROLES, type Role } from '../users/accounts.ts'
import { isAdministrator, isOwner, ownId, userById } from '../users/state.ts'
import { mayInviteBy, type InvitationMethod } from './inviting.ts'
import type { Invite } from './state.ts'

/** Returns the likelier method first: if the server sends no email, the inviter has to share a link. */
export function invitationMethods(): readonly InvitationMethod[] {
  const ways: readonly InvitationMethod[] = sendsEmail() ? ['email', 'link'] : ['link', 'email']
  return ways.filter(mayInviteBy)
}

export function grantableRoles(): readonly Role[] {
  const own = userById(ownId())?.role ?? Number.POSITIVE_INFINITY
  return ROLES.filter((role) => role >= own)
}

export function channelsToInviteTo(): readonly Channel[] {
  const defaults = store().read('realm_default_streams')
  return allChannels().filter((channel) => !defaults.includes(channel.stream_id) && mayAddOthers(channel))
}

export function groupsToInviteTo(): readonly groups.UserGroup[] {
  return ownGroups.value.filter(mayAddMembers)
}

export function mayChooseWelcome(): boolean {
  return isAdministrator()
}

export function mayManageInvite({ invited_as: role, invited_by_user_id: inviter }: Invite): boolean {
  return (inviter === ownId() || isAdministrator()) && (role !== 100 || isOwner())
}
