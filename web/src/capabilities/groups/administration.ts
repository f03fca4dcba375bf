import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { store } from '../../platform/client.ts'
import { Groups } from './parts/groups.tsx'

export const sections: readonly SettingsSection[] = [
  {
    id: 'groups',
    of: 'organization',
    title: () => ta().groups.title,
    icon: 'person',
    when: () => !store().read('is_guest'),
    groups: [{ settings: [{ id: 'list', kind: 'part', title: () => ta().groups.all, Part: Groups }] }],
  },
]
