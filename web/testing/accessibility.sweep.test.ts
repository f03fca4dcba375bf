import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, addressOf, hasBrowser, LOCAL_DOMAIN, openAs, openWindow, useBrowser } from './browser.ts'
import { COLOR_RULES, faultsInThemes, smallTargets, THEMES, WIDTHS } from './usable.ts'
import { fullOrganization, isTooWide, pathsOf, settled, VIEW_GROUPS } from './views.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

describe.skipIf(!hasBrowser)('every view', () => {
  it.each(VIEW_GROUPS)('is usable at each width in each theme: %s', async (group) => {
    const full = await fullOrganization(server())
    // All of them at once, since each takes its time to be found.
    const faults: unknown[] = []
    const page = await openAs(browser(), full.owner, '/inbox')
    for (const path of pathsOf(group, full)) {
      await page.goto(addressOf(full.owner, path))
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        await settled(page)
        for (const fault of await faultsInThemes(page)) faults.push([path, width, fault])
      }
    }
    expect(faults).toEqual([])
  })

  it.each(THEMES)('would be found to lack contrast in $name', async ({ name, options }) => {
    const { owner } = await fullOrganization(server())
    const page = await openAs(browser(), owner, '/inbox', options)
    await settled(page)
    await page.getByRole('main').evaluate((main) => {
      const planted = document.createElement('p')
      planted.textContent = 'Planted words'
      Object.assign(planted.style, { color: '#777', background: '#888', forcedColorAdjust: 'none' })
      main.append(planted)
    })
    const found = await accessibilityFaults(page, COLOR_RULES)
    expect([name, found]).toEqual([name, [expect.stringContaining('Planted words')]])
  })
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
