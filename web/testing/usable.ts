import type { Page } from 'playwright-core'
import { accessibilityFaults } from './browser.ts'
import { composer } from './team.ts'
import { isTooTall, isTooWide, waitUntilLoaded } from './views.ts'

export const THEMES = [
  { name: 'light', options: { colorScheme: 'light' } },
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'forced colors', options: { forcedColors: 'active' } },
] as const

export type Theme = (typeof THEMES)[number]

/** Axe rules whose result depends on the theme. */
export const COLOR_RULES = ['color-contrast']

const ALL_TARGETS = { selector: 'button, input:not([hidden]), select, nav a', minPixels: 24 }
/** Controls that people use often on touch screens. */
export const FREQUENT_TARGETS = {
  selector: '.button, .icon-button, nav a, nav button, [role=menuitem], [role=option], [role=tab]',
  minPixels: 44,
}

/** Finds controls below the minimum touch target. Links within text are exempt. */
export async function findSmallTargets(page: Page, targets = ALL_TARGETS): Promise<string[]> {
  return page.evaluate(
    ({ selector, minPixels }) =>
      [...document.querySelectorAll<HTMLElement>(selector)].flatMap((element) => {
        const { width, height } = element.getBoundingClientRect()
        const isShown = element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) && width > 1
        // The label of a checkbox is part of the target.
        const target = element.closest('label')?.getBoundingClientRect() ?? { width, height }
        const isSmall = Math.min(target.width, target.height) < minPixels
        return isShown && isSmall ? [`${width}×${height} ${element.outerHTML}`] : []
      }),
    targets,
  )
}

export async function useTheme(page: Page, { options }: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: null, forcedColors: null, ...options })
}

export async function layoutFaults(page: Page): Promise<string[]> {
  const faults = await findSmallTargets(page)
  if (await isTooWide(page)) faults.push('is too wide')
  if (await isTooTall(page)) faults.push('is too tall')
  return faults
}

/** Finds faults of a page in several themes. Checks rules that do not depend on color only in the light theme. */
export async function faultsInThemes(page: Page, themes: readonly Theme[] = THEMES): Promise<unknown[]> {
  const faults: unknown[] = []
  for (const theme of themes) {
    await useTheme(page, theme)
    const found = await accessibilityFaults(page, theme.name === 'light' ? undefined : COLOR_RULES)
    for (const fault of [...found, ...(await layoutFaults(page))]) faults.push([theme.name, fault])
  }
  return faults
}

/** Finds faults of the palette, shortcut overview, a menu, and the emoji picker, each opened over a topic. */
export async function overlayFaults(page: Page): Promise<string[]> {
  const faults: string[] = []
  await waitUntilLoaded(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('gar')
  await page
    .getByRole('option', { name: /garden/ })
    .first()
    .waitFor()
  faults.push(...(await accessibilityFaults(page)))
  await page.keyboard.press('Escape')
  await composer(page).press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  faults.push(...(await accessibilityFaults(page)))
  await page.keyboard.press('Escape')
  await page.keyboard.press('k')
  await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menu').waitFor()
  faults.push(...(await accessibilityFaults(page)))
  await page.keyboard.press('Escape')
  await page.getByRole('toolbar').getByRole('button', { name: 'Add reaction' }).click()
  await page.getByRole('searchbox', { name: 'Search emoji' }).fill('tada')
  faults.push(...(await accessibilityFaults(page)))
  return faults
}
