import type { groups } from '@parley/server/contract'
import { store } from '../../platform/client.ts'
import { mayAddOthers } from '../channels/rights.ts'
import { allChannels, type Channel } from '../channels/state.ts'
import { ownGroups } from '../groups/members.ts'
import { mayAdd } from '../groups/rights.ts'
import { coversMe } from '../groups/state.ts'
import { ROLES, type Role } from '../users/accounts.ts'
import { isAdministrator, isOwner, ownId, userById } from '../users/state.ts'
import type { Invite } from './state.ts'

/* Who may invite whom to what, by the rules of the server, so that nothing is offered that it would refuse. */

export type Way = 'email' | 'link'

const PERMISSIONS = {
  email: 'realm_can_invite_users_group',
  link: 'realm_create_multiuse_invite_group',
} as const

/** The ways in which one may invite. */
export function waysToInvite(): readonly Way[] {
  const ways: readonly Way[] = ['email', 'link']
  return ways.filter((way) => coversMe(store().read(PERMISSIONS[way])))
}

export function mayInvite(): boolean {
  return waysToInvite().length > 0
}

/** The roles that one may give: none above the own one. */
export function rolesToGive(): readonly Role[] {
  const own = userById(ownId())?.role ?? Number.POSITIVE_INFINITY
  return ROLES.filter((role) => role >= own)
}

/** The channels into which one may invite, beside those in which everybody begins. */
export function channelsToInviteTo(): readonly Channel[] {
  const defaults = store().read('realm_default_streams')
  return allChannels().filter((channel) => !defaults.includes(channel.stream_id) && mayAddOthers(channel))
}

/** The groups into which one may invite. */
export function groupsToInviteTo(): readonly groups.UserGroup[] {
  return ownGroups.value.filter(mayAdd)
}

/** Only administrators choose what the notification bot says. */
export function mayChooseWelcome(): boolean {
  return isAdministrator()
}

/** Whether one may send an invitation again and take it back: what makes owners is the business of owners. */
export function mayTouch({ invited_as: role, invited_by_user_id: inviter }: Invite): boolean {
  return (inviter === ownId() || isAdministrator()) && (role !== 100 || isOwner())
}
