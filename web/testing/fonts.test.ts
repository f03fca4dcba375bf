import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addressOf, hasBrowser, load, openAs } from './browser.ts'
import { useTeam } from './shared.ts'
import { list, say } from './team.ts'

const { team, browser } = useTeam()

declare global {
  /** Texts that moved since the page was opened. */
  var movedTexts: string[]
}

/** Returns the family of the text, and whether its Latin file is loaded. */
async function shownFont(page: Page): Promise<readonly [string, boolean]> {
  return page.evaluate(() => [getComputedStyle(document.body).fontFamily, document.fonts.check('16px Inter')] as const)
}

describe.skipIf(!hasBrowser)('fonts', () => {
  it('applies the Inter font when it is chosen, and at the next start without layout shifts', async () => {
    const { owner, friend, channelId } = await team()
    for (let number = 0; number < 15; number += 1)
      await say(friend, channelId, 'soil', `Compost number ${number} is ready to be spread over the beds. `.repeat(4))
    const page = await openAs(browser(), owner, '/settings/appearance')
    const requested: string[] = []
    page.context().on('request', (request) => {
      if (request.resourceType() === 'font') requested.push(request.url())
    })
    await page.getByLabel('Font', { exact: true }).selectOption('Inter')
    await expect.poll(() => shownFont(page)).toEqual(['Inter, system-ui, sans-serif', true])
    const assets = addressOf(owner, '/assets/inter-')
    expect(requested.filter((url) => !url.startsWith(assets))).toEqual([])
    // Only the scripts that the page shows.
    expect(requested.some((url) => url.includes('inter-latin-'))).toBe(true)
    expect(requested.some((url) => url.includes('inter-greek'))).toBe(false)

    await owner.call('POST', '/mark_all_as_read')
    await page.addInitScript(() => {
      globalThis.movedTexts = []
      new PerformanceObserver((entries) => {
        for (const entry of entries.getEntries()) {
          // Chromium's entries have `sources`, which the types lack.
          const { sources = [] } = entry as { sources?: readonly { readonly node?: Node }[] }
          for (const { node } of sources) globalThis.movedTexts.push(node?.textContent ?? '')
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(addressOf(owner, `/c/${channelId}/t/soil`))
    await list(page).getByText('Compost number 14').first().waitFor()
    expect(await shownFont(page)).toEqual(['Inter, system-ui, sans-serif', true])
    await page.evaluate(async () => document.fonts.ready)
    expect(await page.evaluate(() => globalThis.movedTexts)).toEqual([])
  })

  it('requests no font file while the system font is chosen', async () => {
    const { owner, friend, channelId } = await team()
    const page = await openAs(browser(), friend, '/settings/appearance')
    const requested: string[] = []
    page.context().on('request', (request) => {
      if (request.resourceType() === 'font') requested.push(request.url())
    })
    await page.goto('about:blank')
    await friend.call('PATCH', '/preferences', { preferences: { 'web.font': '"inter"' } })
    // On a device without the files, they are loaded for the next start, and the text stays as it is.
    await load(page, friend, '/settings/appearance')
    await expect.poll(() => requested.length).toBeGreaterThan(0)
    expect((await shownFont(page))[0]).toMatch(/^system-ui/)
    await page.getByLabel('Font', { exact: true }).selectOption('System')
    await expect.poll(async () => (await friend.call('GET', '/preferences')).preferences['web.font']).toBe(undefined)
    requested.length = 0
    await page.goto(addressOf(friend, `/c/${channelId}/t/soil`))
    await say(owner, channelId, 'soil', 'The last load')
    await list(page).getByText('The last load').waitFor()
    expect(requested).toEqual([])
    expect((await shownFont(page))[0]).toMatch(/^system-ui/)
  })
})
