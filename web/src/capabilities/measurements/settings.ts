import type { SettingsGroup } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { Numbers } from './parts/numbers.tsx'

export const groups: readonly SettingsGroup[] = [
  { settings: [{ id: 'numbers', title: () => t().measurements.here, kind: 'part', Part: Numbers }] },
]
