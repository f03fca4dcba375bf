import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { isAdministrator } from '../users/state.ts'
import { Tools } from './parts/tools.tsx'

export const sections: readonly SettingsSection[] = [
  {
    id: 'tools',
    of: 'organization',
    title: () => ta().tools.title,
    icon: 'link',
    when: isAdministrator,
    groups: [{ settings: [{ id: 'access', kind: 'part', title: () => ta().tools.access, Part: Tools }] }],
  },
]
