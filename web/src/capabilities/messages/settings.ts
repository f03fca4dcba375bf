import { ta } from '../../kernel/administration.ts'
import { select, toggle, type SettingsGroup, type SettingsSection } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { MARK_READ, markReadPolicy, readsFeeds } from './reading.ts'

const marksAnything = (): boolean => markReadPolicy.read() !== MARK_READ.never

const groups: readonly SettingsGroup[] = [
  {
    settings: [
      select({ id: 'mark-read', title: () => ta().habits.markRead }, markReadPolicy, () => [
        [MARK_READ.conversations, ta().habits.markReadSeen],
        [MARK_READ.never, ta().habits.markReadNever],
      ]),
      toggle({ id: 'feeds', title: () => ta().habits.readsFeeds, when: marksAnything }, readsFeeds),
    ],
  },
]

export const sections: readonly SettingsSection[] = [
  { id: 'reading', of: 'person', title: () => t().settings.reading, icon: 'feed', groups },
]
