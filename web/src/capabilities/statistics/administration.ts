import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { isAdministrator } from '../users/state.ts'
import { Statistics } from './parts/statistics.tsx'

export const sections: readonly SettingsSection[] = [
  {
    id: 'statistics',
    of: 'organization',
    title: () => ta().statistics.title,
    icon: 'poll',
    when: isAdministrator,
    groups: [
      {
        settings: [
          {
            id: 'all',
            kind: 'part',
            title: () => ta().statistics.all,
            note: () => ta().statistics.more,
            Part: Statistics,
          },
        ],
      },
    ],
  },
]
