import type { SettingsGroup, SettingsSection } from '../../kernel/setting.ts'
import { ta } from '../../kernel/administration.ts'
import { Numbers } from './parts/numbers.tsx'

const groups: readonly SettingsGroup[] = [
  { settings: [{ id: 'numbers', title: () => ta().measurements.here, kind: 'part', Part: Numbers }] },
]

export const sections: readonly SettingsSection[] = [
  { id: 'speed', of: 'person', title: () => ta().measurements.title, icon: 'poll', groups },
]
