import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { addressOf, hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { faultOfFocus, focusFaults } from './focus-faults.ts'
import { fullOrganization, settled } from './views.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

describe.skipIf(!hasBrowser)('the focus', () => {
  it('is visible wherever Tab takes it in a topic, the inbox, and the settings', async () => {
    const full = await fullOrganization(server())
    const page = await openAs(browser(), full.owner, '/inbox', { viewport: { width: 320, height: 700 } })
    const faults: unknown[] = []
    for (const path of ['/inbox', `/c/${full.channelId}/t/beans`, '/settings/appearance']) {
      await page.goto(addressOf(full.owner, path))
      for (const fault of await focusFaults(page)) faults.push([path, fault])
    }
    expect(faults).toEqual([])
  })

  it('goes back to what opened the panel, where that lies over the view', async () => {
    const full = await fullOrganization(server())
    for (const width of [320, 1000]) {
      const page = await openAs(browser(), full.owner, `/c/${full.channelId}`, { viewport: { width, height: 700 } })
      const opener = page.getByRole('main').getByRole('button', { name: 'Details' })
      const panel = page.getByRole('complementary', { name: 'Details' })
      const isBack = async (): Promise<boolean> => opener.evaluate((element) => element === document.activeElement)
      // What stands there until the view is loaded has such a button too, which would go between the focus and the key.
      await settled(page)
      await opener.press('Enter')
      await panel.waitFor()
      await expect.poll(() => panel.evaluate((element) => element === document.activeElement)).toBe(true)
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'hidden' })
      await expect.poll(isBack).toBe(true)
      await opener.press('Enter')
      await panel.getByRole('button', { name: 'Close' }).press('Enter')
      await expect.poll(isBack).toBe(true)
    }
  })

  it('stays at the key that was changed', async () => {
    const full = await fullOrganization(server())
    const page = await openAs(browser(), full.owner, '/settings/keys')
    const change = page.getByRole('button', { name: 'Change the key: Open the inbox' })
    const isThere = async (): Promise<boolean> => change.evaluate((element) => element === document.activeElement)
    for (const key of ['Control+Shift+9', 'Escape']) {
      await change.press('Enter')
      await page.getByRole('button', { name: /^Press a key/ }).waitFor()
      await page.keyboard.press(key)
      await expect.poll(isThere).toBe(true)
    }
    for (const button of ['Remove the key', 'Reset the key']) {
      await page.getByRole('button', { name: `${button}: Open the inbox` }).press('Enter')
      await page.getByRole('button', { name: `${button}: Open the inbox` }).waitFor({ state: 'hidden' })
      expect(await isThere()).toBe(true)
    }
  })

  it('would be missed where nothing shows it', async () => {
    const full = await fullOrganization(server())
    const page = await openAs(browser(), full.owner, '/settings/appearance')
    await settled(page)
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('* { outline: none !important }')
      document.adoptedStyleSheets = [sheet]
    })
    await page.getByLabel('Theme').waitFor()
    await page.getByRole('switch', { name: 'More contrast' }).focus()
    await page.keyboard.press('Tab')
    expect(await faultOfFocus(page)).toMatchObject({ fault: 'does not show the focus' })
  })
})
