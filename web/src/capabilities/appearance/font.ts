import cyrillic from '@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2'
import cyrillicExt from '@fontsource-variable/inter/files/inter-cyrillic-ext-wght-normal.woff2'
import greek from '@fontsource-variable/inter/files/inter-greek-wght-normal.woff2'
import greekExt from '@fontsource-variable/inter/files/inter-greek-ext-wght-normal.woff2'
import latin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
import latinExt from '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2'
import vietnamese from '@fontsource-variable/inter/files/inter-vietnamese-wght-normal.woff2'
import ranges from '@fontsource-variable/inter/unicode.json' with { type: 'json' }

const FONT_FAMILY = 'Inter'

const FONT_FILES: Readonly<Record<keyof typeof ranges, string>> = {
  latin,
  'latin-ext': latinExt,
  cyrillic,
  'cyrillic-ext': cyrillicExt,
  greek,
  'greek-ext': greekExt,
  vietnamese,
}

/** The browser loads fonts for further scripts when such text occurs, and uses them from the next start on. */
const fontFacesByScript = new Map(
  Object.entries(ranges).map(([script, unicodeRange]) => {
    // Safe: `FONT_FILES` has the same keys.
    const file = new URL(FONT_FILES[script as keyof typeof ranges], import.meta.url)
    const descriptors = { weight: '100 900', unicodeRange, display: 'optional' } as const
    return [script, new FontFace(FONT_FAMILY, `url(${file.href}) format('woff2')`, descriptors)]
  }),
)

/** @param onLoad receives all scripts loaded so far, also when text needs more of them */
export async function loadFont(scripts: readonly string[], onLoad: (loaded: readonly string[]) => void): Promise<void> {
  const report = (): void =>
    onLoad([...fontFacesByScript].filter(([, { status }]) => status === 'loaded').map(([script]) => script))
  document.fonts.onloadingdone = report
  await Promise.all(
    [...fontFacesByScript].filter(([script]) => scripts.includes(script)).map(async ([, face]) => face.load()),
  )
  report()
}

export function setFontEnabled(isEnabled: boolean): void {
  const { style } = document.documentElement
  if (isEnabled) style.setProperty('--font', `${FONT_FAMILY}, system-ui, sans-serif`)
  else style.removeProperty('--font')
  for (const face of fontFacesByScript.values()) document.fonts[isEnabled ? 'add' : 'delete'](face)
}

/** Waits until the page is hidden, so that text does not move while it is being read. */
export function updateFontWhenHidden(isWanted: () => boolean): void {
  const show = (): void => {
    if (!document.hidden) return
    document.removeEventListener('visibilitychange', show)
    setFontEnabled(isWanted())
  }
  document.addEventListener('visibilitychange', show)
}
