import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, addressOf, hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { fullOrganization, isTooWide, pathsOf, settled, VIEW_GROUPS } from './views.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const WIDTHS = [1440, 320] as const
const LANGUAGES = ['en-XA', 'ar-XB'] as const

/** What people called things in the organization of these tests, and the names of languages and programs, which stay as they are. */
const GIVEN = [
  'Hill & Valley',
  'Fred Friend',
  'Olivia Owner',
  'garden',
  'kitchen',
  'beans',
  'peas',
  'Plants',
  'Plain',
  'Pictures of beans',
  'Mind the frost',
  'garden-lover@example.com',
  'Parley',
  'Jitsi Meet',
  'Zulip',
  'Slack',
  'Vim',
  'English',
  'Deutsch',
  // Of the browser, which has words for days in no such language.
  'Today',
  'Yesterday',
  // Units, keys and what stands on them.
  'px',
  'Ctrl',
  'Shift',
  'Alt',
]

/** A moment as the browser says it, such as “Thu, Nov 26, 2026, 12:39 PM”: it has words for days in no such language. */
const MOMENT = /\b[A-Z][a-z]{2}, [A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M/g

/** A day as the browser says it, such as “Oct 28, 2026”. */
const DAY = /\b[A-Z][a-z]{2} \d{1,2}, \d{4}\b/g

/** A time zone as all systems call it, such as “America/Port of Spain”. */
const ZONE = /^[A-Z]\w+(?:\/[\w-]+(?: [\w-]+)*)+$/

/** Texts of a page, seen or heard, that did not come from the texts of a language. */
async function untranslated(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const isOwn = (element: Element): boolean =>
      element.closest('.content, bdi, time, kbd, code, script, style, noscript') !== null
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.parentElement !== null && !isOwn(node.parentElement)) found.push(node.textContent ?? '')
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        if (!isOwn(element)) found.push(element.getAttribute(name) ?? '')
      }
    }
    return found
  })
  return [...new Set(texts)].filter((text) => {
    if (ZONE.test(text)) return false
    const rest = GIVEN.reduce(
      (left, given) => left.replaceAll(given, ''),
      text
        .replaceAll(/⟦[^⟧]*⟧/g, '')
        .replaceAll(MOMENT, '')
        .replaceAll(DAY, ''),
    )
    return /[A-Za-z]{3}/.test(rest)
  })
}

/** What has more text than it shows, without saying so by three dots. */
async function clipped(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#app *')].flatMap((element) => {
      const { overflowX, textOverflow } = getComputedStyle(element)
      const isHiding = overflowX === 'hidden' || overflowX === 'clip'
      const isSeen = element.checkVisibility() && element.clientWidth > 1 && element.textContent !== ''
      const isCut = isHiding && textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1
      return isSeen && isCut ? [element.outerHTML.slice(0, 200)] : []
    }),
  )
}

describe.skipIf(!hasBrowser)('every view', () => {
  it.each(LANGUAGES.flatMap((language) => VIEW_GROUPS.map((group) => [language, group] as const)))(
    'holds the texts of %s at each width: %s',
    async (language, group) => {
      const full = await fullOrganization(server())
      const faults: unknown[] = []
      const page = await openAs(browser(), full.owner, '/inbox')
      for (const path of pathsOf(group, full)) {
        await page.goto(addressOf(full.owner, `${path}${path.includes('?') ? '&' : '?'}lang=${language}`))
        await page.locator(`html[lang=${language}]`).waitFor()
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 })
          await settled(page)
          if (await isTooWide(page)) faults.push([path, width, 'is too wide'])
          const others = language === 'en-XA' ? await untranslated(page) : []
          for (const fault of [...(await clipped(page)), ...others]) faults.push([path, width, fault])
        }
        for (const fault of await accessibilityFaults(page)) faults.push([path, fault])
      }
      expect(faults).toEqual([])
    },
  )

  it('would notice a text that is in one language alone', async () => {
    const full = await fullOrganization(server())
    const page = await openAs(browser(), full.owner, '/inbox?lang=en-XA')
    await page.locator('html[lang=en-XA]').waitFor()
    await settled(page)
    expect(await untranslated(page)).toEqual([])
    await page.getByRole('main').evaluate((main) => main.append('Planted words'))
    expect(await untranslated(page)).toEqual(['Planted words'])
  })

  it('runs from right to left where the language does', async () => {
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
