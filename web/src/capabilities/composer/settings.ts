import { ta } from '../../kernel/administration.ts'
import { toggle, type SettingsGroup, type SettingsSection } from '../../kernel/setting.ts'
import { keyLabel } from '../../platform/keys/keys.ts'
import { t } from '../../kernel/strings.ts'
import { enterSends } from './preferences.ts'

const groups: readonly SettingsGroup[] = [
  {
    settings: [
      toggle(
        {
          id: 'enter',
          title: () => ta().habits.enterSends,
          note: () => ta().habits.enterSendsMore(keyLabel('Ctrl+Enter')),
        },
        enterSends,
      ),
    ],
  },
]

export const sections: readonly SettingsSection[] = [
  { id: 'writing', of: 'person', title: () => t().settings.writing, icon: 'writing', groups },
]
