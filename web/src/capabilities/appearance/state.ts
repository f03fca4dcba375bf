import { effect } from '@preact/signals'
import { chooseLanguage } from '../../kernel/strings.ts'
import { chooseHourCycle } from '../../kernel/time.ts'
import { serverSetting } from '../../platform/preferences.ts'

/** The values of `color_scheme`. */
export const SCHEMES = { system: 1, dark: 2, light: 3 } as const

export const scheme = serverSetting('color_scheme', SCHEMES.system)
export const fontSize = serverSetting('web_font_size_px', 16)
export const language = serverSetting('default_language', 'en')
export const hasTwentyFourHours = serverSetting('twenty_four_hour_time', false)

/** Shows the client as the person chose it, and anew whenever that changes. */
export function showAppearance(): void {
  const { documentElement: root } = document
  effect(() => {
    const chosen = scheme.read()
    if (chosen === SCHEMES.system) delete root.dataset['theme']
    else root.dataset['theme'] = chosen === SCHEMES.dark ? 'dark' : 'light'
  })
  effect(() => root.style.setProperty('--size', `${fontSize.read()}px`))
  effect(() => chooseHourCycle(hasTwentyFourHours.read()))
  effect(() => void chooseLanguage(language.read()))
}
