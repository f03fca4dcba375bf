import { select, toggle, type SettingsGroup } from '../../kernel/setting.ts'
import { LANGUAGES, t } from '../../kernel/strings.ts'
import { fontSize, hasTwentyFourHours, language, scheme, SCHEMES } from './state.ts'

const FONT_SIZES = [14, 15, 16, 18, 20]

export const groups: readonly SettingsGroup[] = [
  {
    settings: [
      select({ id: 'theme', title: () => t().settings.theme }, scheme, () => [
        [SCHEMES.system, t().settings.system],
        [SCHEMES.light, t().settings.light],
        [SCHEMES.dark, t().settings.dark],
      ]),
      select({ id: 'font-size', title: () => t().settings.fontSize }, fontSize, () =>
        FONT_SIZES.map((size) => [size, `${size} px`]),
      ),
      select({ id: 'language', title: () => t().settings.language }, language, () =>
        Object.entries(LANGUAGES).map(([code, { name }]) => [code, name]),
      ),
      toggle({ id: 'clock', title: () => t().settings.twentyFourHours }, hasTwentyFourHours),
    ],
  },
]
