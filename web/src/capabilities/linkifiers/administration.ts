import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { isAdministrator } from '../users/state.ts'
import { Linkifiers } from './parts/linkifiers.tsx'

export const sections: readonly SettingsSection[] = [
  {
    id: 'links',
    of: 'organization',
    title: () => ta().content.linkifiers,
    icon: 'link',
    when: isAdministrator,
    groups: [{ settings: [{ id: 'all', kind: 'part', title: () => ta().content.linkifiersAll, Part: Linkifiers }] }],
  },
]
