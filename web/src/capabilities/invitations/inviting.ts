import { signal } from '@preact/signals'
import { store } from '../../platform/client.ts'
import { coversCurrentUser } from '../groups/state.ts'

export const waitingCount = signal(0)

export function affectsInvitations({ type }: { readonly type: string }, touched: readonly string[]): boolean {
  // While an invitation is required, registrations without one do not count as waiting.
  return type === 'invites_changed' || type === 'registrations' || touched.includes('realm_invite_required')
}

export type InvitationMethod = 'email' | 'link'

const INVITE_PERMISSIONS = {
  email: 'realm_can_invite_users_group',
  link: 'realm_create_multiuse_invite_group',
} as const

export function mayInviteBy(method: InvitationMethod): boolean {
  return coversCurrentUser(store().read(INVITE_PERMISSIONS[method]))
}

export function mayInvite(): boolean {
  return mayInviteBy('email') || mayInviteBy('link')
}
