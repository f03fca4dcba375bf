import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { addressOf, hasBrowser, LOCAL_DOMAIN, openAs, show, useBrowser } from './browser.ts'
import { clipped, untranslated } from './language-faults.ts'
import { fullOrganization, isTooWide, settled } from './views.ts'

/* A sample of what languages.sweep.test.ts checks of every view in two pseudo-languages. */

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

describe.skipIf(!hasBrowser)('another language', () => {
  it.each([1440, 320])('fits the main views, %i px wide', async (width) => {
    const full = await fullOrganization(server())
    const page = await openAs(browser(), full.owner, '/inbox?lang=en-XA', { viewport: { width, height: 900 } })
    await page.locator('html[lang=en-XA]').waitFor()
    const faults: unknown[] = []
    const channel = `/c/${full.channelId}`
    for (const path of [
      '/inbox',
      channel,
      `${channel}/t/beans`,
      '/recent',
      '/writing',
      '/channels',
      '/settings/notifications',
    ]) {
      await show(page, `${path}?lang=en-XA`)
      await settled(page)
      if (await isTooWide(page)) faults.push([path, 'is too wide'])
      for (const fault of [...(await clipped(page)), ...(await untranslated(page))]) faults.push([path, fault])
    }
    expect(faults).toEqual([])
  })

  it('finds a text that exists in one language only', async () => {
    const full = await fullOrganization(server())
    const page = await openAs(browser(), full.owner, '/inbox?lang=en-XA')
    await page.locator('html[lang=en-XA]').waitFor()
    await settled(page)
    expect(await untranslated(page)).toEqual([])
    await page.getByRole('main').evaluate((main) => main.append('Planted words'))
    expect(await untranslated(page)).toEqual(['Planted words'])
  })

  it('runs right to left in a right-to-left language', async () => {
    const full = await fullOrganization(server())
    const page = await openAs(browser(), full.owner, '/inbox?lang=ar-XB')
    await page.locator('html[dir=rtl]').waitFor()
    const sidebar = await page.getByRole('navigation').first().boundingBox()
    const main = await page.getByRole('main').boundingBox()
    expect(sidebar?.x).toBeGreaterThan(main?.x ?? Infinity)
    await page.goto(addressOf(full.owner, '/settings/appearance'))
    await page.locator('html[dir=ltr]').waitFor()
    // People are not offered it.
    await page.getByLabel('Language').waitFor()
    const offered = await page.getByLabel('Language').locator('option').allTextContents()
    expect(offered).toEqual(['English', 'Deutsch'])
  })
})
