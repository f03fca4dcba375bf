import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { isAdministrator } from '../users/state.ts'
import { Health } from './parts/health.tsx'

export const sections: readonly SettingsSection[] = [
  {
    id: 'health',
    of: 'organization',
    title: () => ta().health.title,
    icon: 'device',
    when: isAdministrator,
    groups: [{ settings: [{ id: 'all', kind: 'part', title: () => ta().health.all, Part: Health }] }],
  },
]
