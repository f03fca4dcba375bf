import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { isAdministrator } from '../users/state.ts'
import { Playgrounds } from './parts/playgrounds.tsx'

export const sections: readonly SettingsSection[] = [
  {
    id: 'playgrounds',
    of: 'organization',
    title: () => ta().content.playgrounds,
    icon: 'code',
    when: isAdministrator,
    groups: [{ settings: [{ id: 'all', kind: 'part', title: () => ta().content.playgroundsAll, Part: Playgrounds }] }],
  },
]
