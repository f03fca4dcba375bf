import { withPart } from '../../platform/dom/lazy.tsx'

export function invitePeople(): void {
  const opening = import('./parts/new-invites.tsx').then(async (part) => part.openInviteForm())
  void withPart(opening, () => undefined)
}
