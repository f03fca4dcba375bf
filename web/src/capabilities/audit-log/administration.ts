import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { isAdministrator } from '../users/state.ts'
import { AuditLog } from './parts/audit-log.tsx'

export const sections: readonly SettingsSection[] = [
  {
    id: 'audit-log',
    of: 'organization',
    title: () => ta().audit.title,
    icon: 'recent',
    when: isAdministrator,
    groups: [
      {
        settings: [
          {
            id: 'entries',
            kind: 'part',
            title: () => ta().audit.entries,
            note: () => ta().audit.more,
            Part: AuditLog,
          },
        ],
      },
    ],
  },
]
