import type { SettingsGroup } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { Devices } from './parts/devices.tsx'

export const groups: readonly SettingsGroup[] = [
  { settings: [{ id: 'sessions', title: () => t().devices.where, kind: 'part', Part: Devices }] },
]
