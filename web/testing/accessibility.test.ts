import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import {
  accessibilityFaults,
  addressOf,
  hasBrowser,
  LOCAL_DOMAIN,
  openAs,
  openWindow,
  show,
  useBrowser,
} from './browser.ts'
import { COLOR_RULES, faultsInThemes, smallTargets, THEMES } from './usable.ts'
import { fullOrganization, isTooWide, settled } from './views.ts'

/* A sample of what accessibility.sweep.test.ts checks of every view in every theme at every width. */

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const [LIGHT, DARK] = THEMES

describe.skipIf(!hasBrowser)('accessibility', () => {
  it('has no fault in the main views on a desktop', async () => {
    const full = await fullOrganization(server())
    const page = await openAs(browser(), full.owner, '/inbox', { viewport: { width: 1440, height: 900 } })
    const faults: unknown[] = []
    for (const path of ['/inbox', `/c/${full.channelId}`, `/c/${full.channelId}/t/beans`, '/settings/appearance']) {
      await show(page, path)
      await settled(page)
      for (const fault of await faultsInThemes(page, [LIGHT])) faults.push([path, fault])
    }
    expect(faults).toEqual([])
  })

  it('has enough contrast, room, and size in the main views on a phone, in light and dark', async () => {
    const full = await fullOrganization(server())
    const page = await openAs(browser(), full.owner, '/inbox', { viewport: { width: 320, height: 900 } })
    const faults: unknown[] = []
    for (const path of ['/inbox', `/c/${full.channelId}/t/beans`, '/settings/appearance']) {
      await show(page, path)
      await settled(page)
      for (const { name, options } of [LIGHT, DARK]) {
        await page.emulateMedia(options)
        if (await isTooWide(page)) faults.push([path, name, 'is too wide'])
        const found = [...(await accessibilityFaults(page, COLOR_RULES)), ...(await smallTargets(page))]
        for (const fault of found) faults.push([path, name, fault])
      }
    }
    expect(faults).toEqual([])
  })

  it('finds words that lack contrast', async () => {
    const { owner } = await fullOrganization(server())
    const page = await openAs(browser(), owner, '/inbox', LIGHT.options)
    await settled(page)
    await page.getByRole('main').evaluate((main) => {
      const planted = document.createElement('p')
      planted.textContent = 'Planted words'
      Object.assign(planted.style, { color: '#777', background: '#888' })
      main.append(planted)
    })
    expect(await accessibilityFaults(page, COLOR_RULES)).toEqual([expect.stringContaining('Planted words')])
  })

  it('has no fault in the palette and a message menu', async () => {
    const full = await fullOrganization(server())
    const page = await openAs(browser(), full.owner, `/c/${full.channelId}/t/beans`)
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
    await page.keyboard.press('k')
    await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menu').waitFor()
    await checks()
  })

  it('returns the focus to the button that opened a menu', async () => {
    const full = await fullOrganization(server())
    const page = await openAs(browser(), full.owner, `/c/${full.channelId}/t/beans`)
    const more = page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first()
    await more.click()
    await page.getByRole('menuitem', { name: 'Mute topic' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await expect.poll(() => more.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('has no fault in the sign-in form on a phone', async () => {
    const { owner } = await server().organization('Hill & Valley')
    const context = await openWindow(browser(), { ...LIGHT.options, viewport: { width: 320, height: 700 } })
    const page = await context.newPage()
    await page.goto(addressOf(owner))
    await page.getByRole('heading', { name: 'Sign in to Hill & Valley' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await isTooWide(page)).toBe(false)
    expect(await smallTargets(page)).toEqual([])
  })
})
