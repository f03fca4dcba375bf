import type { SettingsGroup, SettingsSection } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { ViewList } from './parts/view-list.tsx'

const groups: readonly SettingsGroup[] = [
  {
    settings: [
      { id: 'list', title: () => t().nav.editViews, note: () => t().nav.editViewsMore, kind: 'part', Part: ViewList },
    ],
  },
]

export const sections: readonly SettingsSection[] = [
  { id: 'views', of: 'person', title: () => t().nav.views, icon: 'menu', groups },
]
