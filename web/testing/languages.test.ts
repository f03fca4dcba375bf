import { describe, expect, it } from 'vitest'
import { addressOf, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { clipped, faultsOfTexts, untranslated } from './translated.ts'
import { fullOrganization, settled, showView } from './views.ts'

const { server, openPage } = useTeam()

describe.skipIf(!hasBrowser)('the main views', () => {
  it.each(['en-XA', 'ar-XB'])('hold the texts of %s at each width', async (language) => {
    const full = await fullOrganization(server())
    const faults: unknown[] = []
    const page = await openPage(full.owner, `/inbox?lang=${language}`)
    await page.locator(`html[lang=${language}]`).waitFor()
    for (const path of ['/inbox', '/recent', `/c/${full.channelId}/t/beans`, '/writing', '/settings/appearance']) {
      await showView(page, path)
      for (const fault of await faultsOfTexts(page, language)) faults.push([path, fault])
    }
    await page.locator(`html[lang=${language}]`).waitFor()
    expect(faults).toEqual([])
  })

  it('would notice a text that is in one language alone', async () => {
    const full = await fullOrganization(server())
    const page = await openPage(full.owner, '/inbox?lang=en-XA')
    await page.locator('html[lang=en-XA]').waitFor()
    await settled(page)
    expect(await untranslated(page)).toEqual([])
    await page.getByRole('main').evaluate((main) => main.append('Planted words'))
    expect(await untranslated(page)).toEqual(['Planted words'])
  })

  it('would notice a text that is cut off', async () => {
    const full = await fullOrganization(server())
    const page = await openPage(full.owner, '/inbox')
    await settled(page)
    expect(await clipped(page)).toEqual([])
    await page.getByRole('main').evaluate((main) => {
      const planted = document.createElement('p')
      planted.textContent = 'Planted words'
      Object.assign(planted.style, { overflow: 'hidden', width: '30px', whiteSpace: 'nowrap' })
      main.append(planted)
    })
    expect(await clipped(page)).toEqual([expect.stringContaining('Planted words')])
  })

  it('runs from right to left where the language does', async () => {
    const full = await fullOrganization(server())
    const page = await openPage(full.owner, '/inbox?lang=ar-XB')
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
