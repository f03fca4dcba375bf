import { toggle, type SettingsGroup } from '../../kernel/setting.ts'
import { keyLabel } from '../../platform/keys/keys.ts'
import { t } from '../../kernel/strings.ts'
import { enterSends } from './preferences.ts'

export const groups: readonly SettingsGroup[] = [
  {
    settings: [
      toggle(
        {
          id: 'enter',
          title: () => t().settings.enterSends,
          note: () => t().settings.enterSendsMore(keyLabel('Ctrl+Enter')),
        },
        enterSends,
      ),
    ],
  },
]
