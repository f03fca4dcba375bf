import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { isAdministrator } from '../users/state.ts'
import { Exports } from './parts/exports.tsx'
import { Consents } from './parts/consents.tsx'

export const sections: readonly SettingsSection[] = [
  {
    id: 'exports',
    of: 'organization',
    title: () => ta().exports.title,
    icon: 'archive',
    when: isAdministrator,
    groups: [
      {
        settings: [
          {
            id: 'archives',
            kind: 'part',
            title: () => ta().exports.archives,
            note: () => ta().exports.archivesMore,
            Part: Exports,
          },
          {
            id: 'consents',
            kind: 'part',
            title: () => ta().exports.consents,
            note: () => ta().exports.consentsMore,
            Part: Consents,
          },
        ],
      },
    ],
  },
]
