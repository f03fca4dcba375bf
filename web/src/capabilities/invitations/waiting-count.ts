import { signal } from '@preact/signals'

export const waitingCount = signal(0)

/** Whether an event may change invitations or waiting people. */
export function changesInvitations({ type }: { readonly type: string }, touched: readonly string[]): boolean {
  // Once registration is closed, no one waits.
  return type === 'invites_changed' || type === 'registrations' || touched.includes('realm_invite_required')
}
