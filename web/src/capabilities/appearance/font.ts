import cyrillic from '@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2'
import cyrillicExt from '@fontsource-variable/inter/files/inter-cyrillic-ext-wght-normal.woff2'
import greek from '@fontsource-variable/inter/files/inter-greek-wght-normal.woff2'
import greekExt from '@fontsource-variable/inter/files/inter-greek-ext-wght-normal.woff2'
import latin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
import latinExt from '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2'
import vietnamese from '@fontsource-variable/inter/files/inter-vietnamese-wght-normal.woff2'
import ranges from '@fontsource-variable/inter/unicode.json' with { type: 'json' }

const FAMILY = 'Inter'

const FILES: Readonly<Record<keyof typeof ranges, string>> = {
  latin,
  'latin-ext': latinExt,
  cyrillic,
  'cyrillic-ext': cyrillicExt,
  greek,
  'greek-ext': greekExt,
  vietnamese,
}

/** Faces by script. The browser loads other scripts when they occur, and shows them from the next start. */
const faces = new Map(
  Object.entries(ranges).map(([script, unicodeRange]) => {
    // Safe: `FILES` has the same keys.
    const file = new URL(FILES[script as keyof typeof ranges], import.meta.url)
    const descriptors = { weight: '100 900', unicodeRange, display: 'optional' } as const
    return [script, new FontFace(FAMILY, `url(${file.href}) format('woff2')`, descriptors)]
  }),
)

/** @param onLoad receives all scripts loaded so far, also when text needs more of them */
export async function loadFont(scripts: readonly string[], onLoad: (loaded: readonly string[]) => void): Promise<void> {
  const report = (): void =>
    onLoad([...faces].filter(([, { status }]) => status === 'loaded').map(([script]) => script))
  document.fonts.onloadingdone = report
  await Promise.all([...faces].filter(([script]) => scripts.includes(script)).map(async ([, face]) => face.load()))
  report()
}

export function showFont(isShown: boolean): void {
  const { style } = document.documentElement
  if (isShown) style.setProperty('--font', `${FAMILY}, system-ui, sans-serif`)
  else style.removeProperty('--font')
  for (const face of faces.values()) document.fonts[isShown ? 'add' : 'delete'](face)
}

/** Text that is being read does not move. */
export function showFontWhenHidden(isWanted: () => boolean): void {
  const show = (): void => {
    if (!document.hidden) return
    document.removeEventListener('visibilitychange', show)
    showFont(isWanted())
  }
  document.addEventListener('visibilitychange', show)
}
