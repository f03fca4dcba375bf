import { ta } from '../../kernel/administration.ts'
import { toggle, type SettingsGroup } from '../../kernel/setting.ts'
import { serverSetting } from '../../platform/preferences.ts'
import { keyLabel } from '../../platform/keys/keys.ts'
import { enterSends } from './state.ts'

export const groups: readonly SettingsGroup[] = [
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
