import type { SettingsGroup } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { ViewList } from './parts/view-list.tsx'

export const groups: readonly SettingsGroup[] = [
  {
    settings: [
      { id: 'list', title: () => t().nav.editViews, note: () => t().nav.editViewsMore, kind: 'part', Part: ViewList },
    ],
  },
]
