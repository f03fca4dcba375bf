import { signal } from '@preact/signals'

/** How many people wait for a link from the administrator who is signed in. */
export const waitingCount = signal(0)

/** Whether an event says that others are invited than before, or that others wait for a link. */
export function changesInvitations({ type }: { readonly type: string }, touched: readonly string[]): boolean {
  // Where everybody may join no more, nobody waits for that any longer.
  return type === 'invites_changed' || type === 'registrations' || touched.includes('realm_invite_required')
}
