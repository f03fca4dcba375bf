import { ta } from '../../kernel/administration.ts'
import { toggleSetting, type SettingsGroup } from '../../kernel/setting.ts'
import { serverSetting } from '../../platform/preferences.ts'
import { keyHint } from '../../platform/keys/keys.ts'
import { enterSends } from './state.ts'

export const groups: readonly SettingsGroup[] = [
  {
    settings: [
      toggleSetting(
        {
          id: 'enter',
          title: () => ta().habits.enterSends,
          synonyms: () => ta().synonyms.settings.enterSends,
          note: () => {
            const hint = keyHint('Ctrl+Enter')
            return hint === undefined ? undefined : ta().habits.enterSendsMore(hint)
          },
        },
        enterSends,
      ),
      toggleSetting(
        {
          id: 'emoticons',
          title: () => ta().habits.emoticons,
          synonyms: () => ta().synonyms.settings.emoticons,
          note: () => ta().habits.emoticonsMore,
        },
        serverSetting('translate_emoticons', false),
      ),
    ],
  },
]
