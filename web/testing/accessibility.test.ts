import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, addressOf, hasBrowser, LOCAL_DOMAIN, openAs, openWindow, useBrowser } from './browser.ts'
import { fullOrganization, isTooTall, isTooWide, settled, viewsOf } from './views.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const WIDTHS = [320, 768, 1440] as const
const THEMES = [
  { name: 'light', options: { colorScheme: 'light' } },
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'forced colours', options: { forcedColors: 'active' } },
] as const

/** What can be pressed and is smaller than a finger needs. Links within a text may be as small as their text. */
async function smallTargets(page: Page): Promise<string[]> {
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

describe.skipIf(!hasBrowser)('every view', () => {
  it.each(THEMES.flatMap((theme) => WIDTHS.map((width) => ({ ...theme, width }))))(
    'is usable in $name, $width px wide',
    async ({ options, width }) => {
      const full = await fullOrganization(server())
      // All of them at once, since each takes its time to be found.
      const faults: unknown[] = []
      const page = await openAs(browser(), full.owner, '/inbox', { ...options, viewport: { width, height: 900 } })
      for (const path of viewsOf(full)) {
        await page.goto(addressOf(full.owner, path))
        await settled(page)
        if (await isTooWide(page)) faults.push([path, 'is too wide'])
        if (await isTooTall(page)) faults.push([path, 'is too tall'])
        for (const fault of [...(await accessibilityFaults(page)), ...(await smallTargets(page))]) {
          faults.push([path, fault])
        }
      }
      expect(faults).toEqual([])
    },
  )
})

describe.skipIf(!hasBrowser)('what opens over a view', () => {
  it('is usable too', async () => {
    const full = await fullOrganization(server())
    for (const { options } of THEMES) {
      const page = await openAs(browser(), full.owner, `/c/${full.channelId}/t/beans`, options)
      await settled(page)
      const checks = async (): Promise<void> => expect(await accessibilityFaults(page)).toEqual([])
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('gar')
      await page
        .getByRole('option', { name: /garden/ })
        .first()
        .waitFor()
      await checks()
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
      await checks()
      await page.keyboard.press('Escape')
      await page.keyboard.press('k')
      await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
      await page.getByRole('menu').waitFor()
      await checks()
      await page.keyboard.press('Escape')
      await page.getByRole('toolbar').getByRole('button', { name: 'Add a reaction' }).click()
      await page.getByRole('searchbox', { name: 'Search emoji' }).fill('tada')
      await checks()
      await page.context().close()
    }
  })

  it('gives the focus back to what opened it', async () => {
    const full = await fullOrganization(server())
    const page = await openAs(browser(), full.owner, `/c/${full.channelId}/t/beans`)
    const more = page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first()
    await more.click()
    await page.getByRole('menuitem', { name: 'Mute topic' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await expect.poll(() => more.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

describe.skipIf(!hasBrowser)('the form that signs in', () => {
  it.each(THEMES)('is usable in $name', async ({ options }) => {
    const { owner } = await server().organization('Hill & Valley')
    for (const width of WIDTHS) {
      const context = await openWindow(browser(), { ...options, viewport: { width, height: 700 } })
      const page = await context.newPage()
      await page.goto(addressOf(owner))
      await page.getByRole('heading', { name: 'Sign in to Hill & Valley' }).waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      expect(await isTooWide(page)).toBe(false)
      expect(await smallTargets(page)).toEqual([])
    }
  })
})
