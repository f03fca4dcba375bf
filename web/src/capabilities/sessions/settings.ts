import type { SettingsGroup, SettingsSection } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { Devices } from './parts/devices.tsx'

const groups: readonly SettingsGroup[] = [
  { settings: [{ id: 'sessions', title: () => t().devices.where, kind: 'part', Part: Devices }] },
]

export const sections: readonly SettingsSection[] = [
  { id: 'devices', of: 'person', title: () => t().devices.title, icon: 'device', groups },
]
