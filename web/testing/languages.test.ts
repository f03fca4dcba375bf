import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { clipped, faultsOfTexts, untranslated } from './translated.ts'
import { fullOrganization, settled, showView } from './views.ts'

const { team, visit, openPage } = useTeam({}, fullOrganization)

/** A page in a pseudo-language, of an organization in which every view has something to show. */
async function inLanguage(language: string): Promise<Page> {
  const { owner } = await team()
  const page = await openPage(owner, `/inbox?lang=${language}`)
  await page.locator(`html[lang=${language}]`).waitFor()
  await settled(page)
  return page
}

async function faultsOfViews(page: Page, language: string): Promise<unknown[]> {
  const { channelId } = await team()
  const faults: unknown[] = []
  for (const path of ['/inbox', '/recent', `/c/${channelId}/t/beans`, '/writing', '/settings/appearance']) {
    await showView(page, path)
    for (const fault of await faultsOfTexts(page, language)) faults.push([path, fault])
  }
  await page.locator(`html[lang=${language}]`).waitFor()
  return faults
}

describe.skipIf(!hasBrowser)('the main views', () => {
  it('hold the texts of en-XA at each width, where a text that is in one language alone would be noticed', async () => {
    const page = await inLanguage('en-XA')
    expect(await faultsOfViews(page, 'en-XA')).toEqual([])
    expect(await untranslated(page)).toEqual([])
    await page.getByRole('main').evaluate((main) => main.append('Planted words'))
    expect(await untranslated(page)).toEqual(['Planted words'])
  })

  it('hold the texts of ar-XB at each width, and run from right to left', async () => {
    const page = await inLanguage('ar-XB')
    await page.locator('html[dir=rtl]').waitFor()
    const sidebar = await page.getByRole('navigation').first().boundingBox()
    const main = await page.getByRole('main').boundingBox()
    expect(sidebar?.x).toBeGreaterThan(main?.x ?? Infinity)
    expect(await faultsOfViews(page, 'ar-XB')).toEqual([])
    await page.goto(new URL('/settings/appearance', page.url()).href)
    await page.locator('html[dir=ltr]').waitFor()
    // People are not offered it.
    await page.getByLabel('Language').waitFor()
    const offered = await page.getByLabel('Language').locator('option').allTextContents()
    expect(offered).toEqual(['English', 'Deutsch'])
  })

  it('would notice a text that is cut off', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/inbox')
    await settled(page)
    expect(await clipped(page)).toEqual([])
    await page.getByRole('main').evaluate((main) => {
      const planted = document.createElement('p')
      planted.id = 'planted'
      planted.textContent = 'Planted words'
      Object.assign(planted.style, { overflow: 'hidden', width: '30px', whiteSpace: 'nowrap' })
      main.append(planted)
    })
    expect(await clipped(page)).toEqual([expect.stringContaining('Planted words')])
    await page.locator('#planted').evaluate((planted) => planted.remove())
  })
})
