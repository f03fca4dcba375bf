import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { validLanguage } from '../src/capabilities/history/periods.ts'
import { hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { findClipped, textFaults, findUntranslated } from './translated.ts'
import { createFullOrganization, waitUntilLoaded, showView } from './views.ts'

const { team, visit, openPage } = useTeam({}, createFullOrganization)

async function openInLanguage(language: string): Promise<Page> {
  const { owner } = await team()
  const page = await openPage(owner, `/inbox?lang=${language}`)
  await page.locator(`html[lang=${language}]`).waitFor()
  await waitUntilLoaded(page)
  return page
}

async function textFaultsInViews(page: Page, language: string): Promise<unknown[]> {
  const { channelId } = await team()
  const faults: unknown[] = []
  for (const path of ['/inbox', '/recent', `/c/${channelId}/t/beans`, '/writing', '/settings/appearance']) {
    await showView(page, path)
    for (const fault of await textFaults(page, language)) faults.push([path, fault])
  }
  await page.locator(`html[lang=${language}]`).waitFor()
  return faults
}

it('takes the language for dates from any language tag of the browser', () => {
  const tags = ['de-AT', 'en-US@posix', 'de_AT.UTF-8', 'C', '']
  expect(tags.map(validLanguage)).toEqual(['de-AT', 'en-US', 'en', 'en', 'en'])
})

describe.skipIf(!hasBrowser)('main views in pseudolanguages', () => {
  it('shows the longer texts of pseudo-locale en-XA in full at each width, and detects untranslated text', async () => {
    const page = await openInLanguage('en-XA')
    expect(await textFaultsInViews(page, 'en-XA')).toEqual([])
    expect(await findUntranslated(page)).toEqual([])
    await page.getByRole('main').evaluate((main) => main.append('Planted words'))
    expect(await findUntranslated(page)).toEqual(['Planted words'])
  })

  it('shows the texts of the right-to-left pseudo-locale ar-XB in full at each width', async () => {
    const page = await openInLanguage('ar-XB')
    await page.locator('html[dir=rtl]').waitFor()
    const sidebar = await page.getByRole('navigation').first().boundingBox()
    const main = await page.getByRole('main').boundingBox()
    expect(sidebar?.x).toBeGreaterThan(main?.x ?? Infinity)
    expect(await textFaultsInViews(page, 'ar-XB')).toEqual([])
    await page.goto(new URL('/settings/appearance', page.url()).href)
    await page.locator('html[dir=ltr]').waitFor()
    await page.getByLabel('Language').waitFor()
    const offered = await page.getByLabel('Language').locator('option').allTextContents()
    expect(offered).toEqual(['English', 'Deutsch'])
  })

  it('detects clipped texts', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/inbox')
    await waitUntilLoaded(page)
    expect(await findClipped(page)).toEqual([])
    await page.getByRole('main').evaluate((main) => {
      const planted = document.createElement('p')
      planted.id = 'planted'
      planted.textContent = 'Planted words'
      Object.assign(planted.style, { overflow: 'hidden', width: '30px', whiteSpace: 'nowrap' })
      main.append(planted)
    })
    expect(await findClipped(page)).toEqual([expect.stringContaining('Planted words')])
    await page.locator('#planted').evaluate((planted) => planted.remove())
  })
})
