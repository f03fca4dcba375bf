import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { store } from '../../platform/client.ts'
import { Bots } from './parts/bots.tsx'

export const sections: readonly SettingsSection[] = [
  {
    id: 'bots',
    of: 'organization',
    title: () => ta().bots.title,
    icon: 'code',
    when: () => !store().read('is_guest'),
    groups: [{ settings: [{ id: 'all', kind: 'part', title: () => ta().bots.programs, Part: Bots }] }],
  },
]
