import type { Page } from 'playwright-core'
import { accessibilityFaults } from './browser.ts'
import { isTooTall, isTooWide } from './views.ts'

export const WIDTHS = [320, 768, 1440] as const
export const THEMES = [
  { name: 'light', options: { colorScheme: 'light' } },
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'forced colors', options: { forcedColors: 'active' } },
] as const

/** Controls that are smaller than a finger needs. Links within a text may be as small as their text. */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, input:not([hidden]), select, nav a')].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect()
      const isShown = element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) && width > 1
      // A check box has its label as its target.
      const target = element.closest('label')?.getBoundingClientRect() ?? { width, height }
      return isShown && (target.width < 24 || target.height < 24) ? [`${width}×${height} ${element.outerHTML}`] : []
    }),
  )
}

/** The rules of axe whose result depends on the theme. */
export const COLOR_RULES = ['color-contrast']

/** Faults of a page in each theme. Rules that do not depend on colors are checked in the first theme only. */
export async function faultsInThemes(
  page: Page,
  themes: readonly (typeof THEMES)[number][] = THEMES,
): Promise<unknown[]> {
  const faults: unknown[] = []
  for (const [index, { name, options }] of themes.entries()) {
    await page.emulateMedia({ colorScheme: null, forcedColors: null, ...options })
    if (await isTooWide(page)) faults.push([name, 'is too wide'])
    if (await isTooTall(page)) faults.push([name, 'is too tall'])
    const others = await accessibilityFaults(page, index === 0 ? undefined : COLOR_RULES)
    for (const fault of [...others, ...(await smallTargets(page))]) faults.push([name, fault])
  }
  return faults
}
