import { ta } from '../../kernel/administration.ts'
import { selectSetting, toggleSetting, type SettingsGroup } from '../../kernel/setting.ts'
import { LANGUAGES } from '../../kernel/strings.ts'
import {
  density,
  font,
  fontSize,
  hasLessMotion,
  hasMoreContrast,
  usesTwentyFourHourTime,
  language,
  lineHeight,
  saturation,
  SATURATIONS,
  scheme,
  SCHEMES,
} from './state.ts'

/** Not translated, because it is the name of a font. */
const FONT_NAME = 'Inter'
const FONT_SIZES = [12, 13, 14, 15, 16, 18, 20, 24]
const LINE_HEIGHTS = [120, 130, 140, 150, 160, 180, 200]

function withChosen(choices: readonly number[], chosen: number): readonly number[] {
  return choices.includes(chosen) ? choices : [...choices, chosen].toSorted((one, other) => one - other)
}

const colors: SettingsGroup = {
  title: () => ta().appearance.colors,
  settings: [
    selectSetting(
      { id: 'theme', title: () => ta().appearance.theme, synonyms: () => ta().synonyms.settings.theme },
      scheme,
      () => [
        [SCHEMES.system, ta().appearance.system],
        [SCHEMES.light, ta().appearance.light],
        [SCHEMES.dark, ta().appearance.dark],
      ],
    ),
    toggleSetting(
      {
        id: 'contrast',
        title: () => ta().appearance.contrast,
        synonyms: () => ta().synonyms.settings.contrast,
        note: () => ta().appearance.alsoBySystem,
      },
      hasMoreContrast,
    ),
    selectSetting(
      {
        id: 'saturation',
        title: () => ta().appearance.saturation,
        synonyms: () => ta().synonyms.settings.saturation,
        note: () => ta().appearance.saturationMore,
      },
      saturation,
      () => SATURATIONS.map((percent) => [percent, ta().appearance.percent(percent)]),
    ),
  ],
}

const text: SettingsGroup = {
  title: () => ta().appearance.text,
  settings: [
    selectSetting(
      { id: 'font', title: () => ta().appearance.font, synonyms: () => ta().synonyms.settings.font },
      font,
      () => [
        ['system', ta().appearance.systemFont],
        ['inter', FONT_NAME],
      ],
    ),
    selectSetting(
      { id: 'font-size', title: () => ta().appearance.fontSize, synonyms: () => ta().synonyms.settings.fontSize },
      fontSize,
      (chosen) => withChosen(FONT_SIZES, chosen).map((size) => [size, ta().appearance.pixels(size)]),
    ),
    selectSetting(
      { id: 'line-spacing', title: () => ta().appearance.leading, synonyms: () => ta().synonyms.settings.leading },
      lineHeight,
      (chosen) => withChosen(LINE_HEIGHTS, chosen).map((percent) => [percent, ta().appearance.percent(percent)]),
    ),
    selectSetting(
      { id: 'density', title: () => ta().appearance.density, synonyms: () => ta().synonyms.settings.density },
      density,
      () => [
        ['comfortable', ta().appearance.comfortable],
        ['compact', ta().appearance.compact],
      ],
    ),
  ],
}

const motion: SettingsGroup = {
  title: () => ta().appearance.motion,
  settings: [
    toggleSetting(
      {
        id: 'motion',
        title: () => ta().appearance.lessMotion,
        synonyms: () => ta().synonyms.settings.motion,
        note: () => ta().appearance.alsoBySystem,
      },
      hasLessMotion,
    ),
  ],
}

const languageAndTime: SettingsGroup = {
  title: () => ta().appearance.languageAndTime,
  settings: [
    selectSetting(
      { id: 'language', title: () => ta().appearance.language, synonyms: () => ta().synonyms.settings.language },
      language,
      () => Object.entries(LANGUAGES).map(([code, { name }]) => [code, name]),
    ),
    toggleSetting(
      { id: 'clock', title: () => ta().appearance.twentyFourHours, synonyms: () => ta().synonyms.settings.clock },
      usesTwentyFourHourTime,
    ),
  ],
}

export const groups: readonly SettingsGroup[] = [colors, text, motion, languageAndTime]
