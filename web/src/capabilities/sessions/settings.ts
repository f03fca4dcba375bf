import type { SettingsGroup, SettingsSection } from '../../kernel/setting.ts'
import { ta } from '../../kernel/administration.ts'
import { Devices } from './parts/devices.tsx'

const groups: readonly SettingsGroup[] = [
  { settings: [{ id: 'sessions', title: () => ta().devices.where, kind: 'part', Part: Devices }] },
]

export const sections: readonly SettingsSection[] = [
  { id: 'devices', of: 'person', title: () => ta().devices.title, icon: 'device', groups },
]
