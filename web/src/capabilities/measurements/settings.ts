import type { SettingsGroup, SettingsSection } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { Numbers } from './parts/numbers.tsx'

const groups: readonly SettingsGroup[] = [
  { settings: [{ id: 'numbers', title: () => t().measurements.here, kind: 'part', Part: Numbers }] },
]

export const sections: readonly SettingsSection[] = [
  { id: 'speed', of: 'person', title: () => t().measurements.title, icon: 'poll', groups },
]
