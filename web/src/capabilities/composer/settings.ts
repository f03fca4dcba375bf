import { ta } from '../../kernel/administration.ts'
import { toggle, type SettingsGroup, type SettingsSection } from '../../kernel/setting.ts'
import { serverSetting } from '../../platform/preferences.ts'
import { keyLabel } from '../../platform/keys/keys.ts'
import { t } from '../../kernel/strings.ts'
import { enterSends } from './state.ts'

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
      toggle(
        { id: 'emoticons', title: () => ta().habits.emoticons, note: () => ta().habits.emoticonsMore },
        serverSetting('translate_emoticons', false),
      ),
    ],
  },
]

export const sections: readonly SettingsSection[] = [
  { id: 'writing', of: 'person', title: () => t().settings.writing, icon: 'writing', groups },
]
