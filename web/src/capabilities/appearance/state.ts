import { effect, signal } from '@preact/signals'
import { chooseLanguage } from '../../kernel/strings.ts'
import { chooseHourCycle } from '../../kernel/time.ts'
import { runWhenIdle } from '../../platform/dom/idle.ts'
import { isSidebarFolded, sidebarPercent } from '../../platform/frame.ts'
import { preferredFlag, preferredOneOf, serverSetting } from '../../platform/preferences.ts'
import type * as fontPart from './font.ts'
import { storeAppearance, storedAppearance, applyAppearance, type Appearance } from './looks.ts'

export const SCHEMES = { system: 1, dark: 2, light: 3 } as const

export const SATURATIONS = [100, 75, 50, 25, 0] as const

export const scheme = serverSetting('color_scheme', SCHEMES.system)
export const hasMoreContrast = serverSetting('high_contrast_mode', false)
export const saturation = preferredOneOf('saturation', SATURATIONS, 100)
export const font = preferredOneOf('font', ['system', 'inter'], 'system')
export const density = preferredOneOf('density', ['comfortable', 'compact'], 'comfortable')
export const fontSize = serverSetting('web_font_size_px', 16)
export const lineHeight = serverSetting('web_line_height_percent', 140)
export const hasLessMotion = preferredFlag('less-motion', false)
export const showsPreviews = preferredFlag('link-previews', true)
export const language = serverSetting('default_language', 'en')
export const usesTwentyFourHourTime = serverSetting('twenty_four_hour_time', false)

const languageFromUrl = new URLSearchParams(window.location.search).get('lang')

const fontScripts = signal<readonly string[]>([])

/** Undefined until the files of the chosen font are loaded. */
let loadedFont: typeof fontPart | undefined

function chosenAppearance(): Appearance {
  const chosen = scheme.read()
  return {
    theme: chosen === SCHEMES.dark ? 'dark' : chosen === SCHEMES.light ? 'light' : 'system',
    contrast: hasMoreContrast.read() ? 'more' : 'system',
    density: density.read(),
    motion: hasLessMotion.read() ? 'less' : 'system',
    previews: showsPreviews.read() ? 'shown' : 'hidden',
    sidebar: isSidebarFolded.value ? 'folded' : 'shown',
    sidebarWidth: sidebarPercent.value,
    size: fontSize.read(),
    leading: lineHeight.read() / 100,
    saturation: saturation.read() / 100,
    language: language.read(),
    fontScripts: font.read() === 'inter' ? fontScripts.value : [],
  }
}

/** Applies the stored appearance until the user is known. Without a stored language, uses the browser's. */
export async function showStoredAppearance(): Promise<void> {
  const appearance = storedAppearance()
  isSidebarFolded.value = appearance.sidebar === 'folded'
  sidebarPercent.value = appearance.sidebarWidth ?? 100
  applyAppearance(appearance)
  fontScripts.value = appearance.fontScripts ?? []
  if (fontScripts.value.length > 0) void loadFont(fontScripts.value)
  const code = languageFromUrl ?? appearance.language ?? navigator.language.split('-')[0]
  if (typeof code === 'string') await chooseLanguage(code)
}

export function showAppearance(): void {
  effect(() => {
    const appearance = chosenAppearance()
    applyAppearance(appearance)
    storeAppearance(appearance)
  })
  applyChosenFont()
  effect(() => chooseHourCycle(usesTwentyFourHourTime.read()))
  effect(() => void chooseLanguage(languageFromUrl ?? language.read()))
}

async function loadFont(scripts: readonly string[]): Promise<typeof fontPart | undefined> {
  try {
    const part = await import('./font.ts')
    await part.loadFont(scripts, (loaded) => {
      fontScripts.value = loaded
    })
    loadedFont = part
  } catch {
    // Without the files, the system's font stays.
  }
  return loadedFont
}

/** A cached font is available before the first view is drawn. Otherwise, it is loaded later, for the next start. */
function applyChosenFont(): void {
  let isStart = true
  effect(() => {
    const isInter = font.read() === 'inter'
    const isChosenNow = !isStart
    isStart = false
    if (loadedFont !== undefined) loadedFont.setFontEnabled(isInter)
    else if (isInter)
      runWhenIdle(() => {
        void loadFont(['latin']).then((part) => {
          if (isChosenNow) part?.setFontEnabled(font.read() === 'inter')
          else part?.updateFontWhenHidden(() => font.read() === 'inter')
        })
      })
  })
}
