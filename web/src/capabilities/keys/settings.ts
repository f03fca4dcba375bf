import { ta } from '../../kernel/administration.ts'
import { selectSetting, toggleSetting, type SettingsGroup } from '../../kernel/setting.ts'
import { hasSingleKeys, preset, PRESET_NAMES } from '../../platform/keys/choices.ts'
import { KeyTable } from './parts/table.tsx'

const PRESET_TITLES = { parley: 'Parley', zulip: 'Zulip', slack: 'Slack', vim: 'Vim' } as const

export const groups: readonly SettingsGroup[] = [
  {
    settings: [
      selectSetting(
        {
          id: 'preset',
          title: () => ta().keys.preset,
          synonyms: () => ta().synonyms.settings.preset,
          note: () => ta().keys.presetMore,
        },
        preset,
        () => PRESET_NAMES.map((name) => [name, PRESET_TITLES[name]]),
      ),
      toggleSetting(
        {
          id: 'single',
          title: () => ta().keys.single,
          synonyms: () => ta().synonyms.settings.single,
          note: () => ta().keys.singleMore,
        },
        hasSingleKeys,
      ),
      {
        id: 'each',
        title: () => ta().keys.each,
        synonyms: () => ta().synonyms.settings.keys,
        kind: 'part',
        Part: KeyTable,
      },
    ],
  },
]
