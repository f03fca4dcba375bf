import { select, type SettingsGroup } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { MARK_READ, markReadPolicy } from './reading.ts'

export const groups: readonly SettingsGroup[] = [
  {
    settings: [
      select({ id: 'mark-read', title: () => t().settings.markRead }, markReadPolicy, () => [
        [MARK_READ.conversations, t().settings.markReadSeen],
        [MARK_READ.never, t().settings.markReadNever],
      ]),
    ],
  },
]
