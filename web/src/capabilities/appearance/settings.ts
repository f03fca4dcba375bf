import { select, toggle, type SettingsGroup, type SettingsSection } from '../../kernel/setting.ts'
import { LANGUAGES, t } from '../../kernel/strings.ts'
import {
  density,
  fontSize,
  hasLessMotion,
  hasMoreContrast,
  hasTwentyFourHours,
  language,
  leading,
  saturation,
  SATURATIONS,
  scheme,
  SCHEMES,
} from './state.ts'

const FONT_SIZES = [12, 13, 14, 15, 16, 18, 20, 24]
const LEADINGS = [120, 130, 140, 150, 160, 180, 200]

/** The choices, and what another client chose, if it is none of them. */
function withChosen(choices: readonly number[], chosen: number): readonly number[] {
  return choices.includes(chosen) ? choices : [...choices, chosen].toSorted((one, other) => one - other)
}

const colours: SettingsGroup = {
  title: () => t().appearance.colours,
  settings: [
    select({ id: 'theme', title: () => t().appearance.theme }, scheme, () => [
      [SCHEMES.system, t().appearance.system],
      [SCHEMES.light, t().appearance.light],
      [SCHEMES.dark, t().appearance.dark],
    ]),
    toggle(
      { id: 'contrast', title: () => t().appearance.contrast, note: () => t().appearance.alsoBySystem },
      hasMoreContrast,
    ),
    select(
      { id: 'saturation', title: () => t().appearance.saturation, note: () => t().appearance.saturationMore },
      saturation,
      () => SATURATIONS.map((percent) => [percent, t().appearance.percent(percent)]),
    ),
  ],
}

const text: SettingsGroup = {
  title: () => t().appearance.text,
  settings: [
    select({ id: 'font-size', title: () => t().appearance.fontSize }, fontSize, () =>
      withChosen(FONT_SIZES, fontSize.read()).map((size) => [size, t().appearance.pixels(size)]),
    ),
    select({ id: 'line-spacing', title: () => t().appearance.leading }, leading, () =>
      withChosen(LEADINGS, leading.read()).map((percent) => [percent, t().appearance.percent(percent)]),
    ),
    select({ id: 'density', title: () => t().appearance.density }, density, () => [
      ['comfortable', t().appearance.comfortable],
      ['compact', t().appearance.compact],
    ]),
  ],
}

const motion: SettingsGroup = {
  title: () => t().appearance.motion,
  settings: [
    toggle(
      { id: 'motion', title: () => t().appearance.lessMotion, note: () => t().appearance.alsoBySystem },
      hasLessMotion,
    ),
  ],
}

const words: SettingsGroup = {
  title: () => t().appearance.languageAndTime,
  settings: [
    select({ id: 'language', title: () => t().appearance.language }, language, () =>
      Object.entries(LANGUAGES).map(([code, { name }]) => [code, name]),
    ),
    toggle({ id: 'clock', title: () => t().appearance.twentyFourHours }, hasTwentyFourHours),
  ],
}

export const sections: readonly SettingsSection[] = [
  {
    id: 'appearance',
    of: 'person',
    title: () => t().appearance.title,
    icon: 'appearance',
    groups: [colours, text, motion, words],
  },
]
