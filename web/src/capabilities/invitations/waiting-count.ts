import { signal } from '@preact/signals'

export const waitingCount = signal(0)

export function changesInvitations({ type }: { readonly type: string }, touched: readonly string[]): boolean {
  // No one waits after registration is closed.
  return type === 'invites_changed' || type === 'registrations' || touched.includes('realm_invite_required')
}
