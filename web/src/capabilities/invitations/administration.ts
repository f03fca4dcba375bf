import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { isAdministrator } from '../users/state.ts'
import { Invitations } from './parts/invitations.tsx'
import { WaitingCount } from './parts/waiting-count.tsx'
import { mayInvite } from './rights.ts'

export const sections: readonly SettingsSection[] = [
  {
    id: 'invitations',
    of: 'organization',
    title: () => ta().invitations.title,
    icon: 'send',
    Beside: WaitingCount,
    when: () => isAdministrator() || mayInvite(),
    groups: [{ settings: [{ id: 'all', kind: 'part', title: () => ta().invitations.all, Part: Invitations }] }],
  },
]
