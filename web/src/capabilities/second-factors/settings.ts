import type { SettingsGroup, SettingsSection } from '../../kernel/setting.ts'
import { loadSecurityTexts, ts } from '../../kernel/security-texts.ts'
import { Passkeys } from '../passkeys/parts/passkeys.tsx'
import { SecondFactorPart } from './parts/second-factor.tsx'

const groups: readonly SettingsGroup[] = [
  {
    settings: [
      {
        id: 'second-factor',
        kind: 'part',
        title: () => ts().secondFactor,
        note: () => ts().more,
        Part: SecondFactorPart,
      },
      {
        id: 'passkeys',
        kind: 'part',
        title: () => ts().passkeys.title,
        note: () => ts().passkeys.more,
        Part: Passkeys,
      },
    ],
  },
]

const sections: readonly SettingsSection[] = [
  { id: 'security', of: 'person', title: () => ts().security, icon: 'lock', groups },
]

export async function loadSections(): Promise<readonly SettingsSection[]> {
  await loadSecurityTexts()
  return sections
}
