import { chooseLanguage } from '../kernel/strings.ts'
import { chooseHourCycle } from '../kernel/time.ts'
import { store } from '../platform/client.ts'

/** The values of `color_scheme`. */
export const SCHEMES = { system: 1, dark: 2, light: 3 } as const

/** Shows the client as the settings say. Called again when they change. */
export function applyAppearance(): void {
  const settings = store().read('user_settings')
  const { documentElement: root } = document
  const scheme = settings['color_scheme']
  if (scheme === SCHEMES.dark) root.dataset['theme'] = 'dark'
  else if (scheme === SCHEMES.light) root.dataset['theme'] = 'light'
  else delete root.dataset['theme']
  const size = settings['web_font_size_px']
  if (typeof size === 'number') root.style.setProperty('--size', `${size}px`)
  chooseHourCycle(settings['twenty_four_hour_time'] === true)
  const language = settings['default_language']
  if (typeof language === 'string') void chooseLanguage(language)
}
