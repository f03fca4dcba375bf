import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { ApiTokens } from './parts/tokens.tsx'

export const sections: readonly SettingsSection[] = [
  {
    id: 'tokens',
    of: 'person',
    title: () => ta().apiTokens.title,
    icon: 'code',
    groups: [
      {
        settings: [
          {
            id: 'api-tokens',
            kind: 'part',
            title: () => ta().apiTokens.title,
            note: () => ta().apiTokens.more,
            Part: ApiTokens,
          },
        ],
      },
    ],
  },
]
