import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { addressOf, hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { fullOrganization, settled, viewsOf } from './views.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const WIDTHS = [320, 1440] as const

/** Enough to come through every part of a view. */
const MOST_STEPS = 70

/** What is wrong with the focus where it is; undefined where it has left the page. */
async function faultOfFocus(
  page: Page,
): Promise<{ readonly name: string; readonly fault: string | undefined } | undefined> {
  return page.evaluate(() => {
    const { activeElement: element } = document
    if (!(element instanceof HTMLElement) || element === document.body) return undefined
    const name = element.outerHTML.slice(0, 160)
    const looks = (): string => {
      // The frame of the composer shows it for the field, which stands in two boxes within it.
      const around: (HTMLElement | null | undefined)[] = [element]
      for (let above = 0; above < 3; above += 1) around.push(around.at(-1)?.parentElement)
      return around
        .map((one) => {
          if (one === null || one === undefined) return ''
          const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(one)
          return [outline, boxShadow, borderColor, backgroundColor].join()
        })
        .join()
    }
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const [fromX, toX] = [Math.max(left, 0), Math.min(right, innerWidth)]
    const [fromY, toY] = [Math.max(top, 0), Math.min(bottom, innerHeight)]
    if (toX - fromX < 1 || toY - fromY < 1) return { name, fault: 'is out of view' }
    const points = [0.5, 0.05, 0.95].flatMap((x) => [0.5, 0.05, 0.95].map((y) => [x, y] as const))
    const isCovered = points.every(([x, y]) => {
      const above = document.elementFromPoint(fromX + (toX - fromX) * x, fromY + (toY - fromY) * y)
      return above === null || !(element.contains(above) || above.contains(element))
    })
    if (isCovered) return { name, fault: 'is covered' }
    const focused = looks()
    const isShown = element.matches(':focus-visible')
    element.blur()
    const other = looks()
    element.focus({ preventScroll: true })
    return { name, fault: isShown && focused !== other ? undefined : 'does not show the focus' }
  })
}

describe.skipIf(!hasBrowser)('the focus', () => {
  it.each(WIDTHS)('is seen wherever Tab takes it, %i px wide', async (width) => {
    const full = await fullOrganization(server())
    const page = await openAs(browser(), full.owner, '/inbox', { viewport: { width, height: 700 } })
    const faults: unknown[] = []
    for (const path of viewsOf(full)) {
      await page.goto(addressOf(full.owner, path))
      await settled(page)
      for (let step = 0; step < MOST_STEPS; step += 1) {
        await page.keyboard.press('Tab')
        const found = await faultOfFocus(page)
        if (found === undefined) break
        if (found.fault !== undefined) faults.push([path, found.fault, found.name])
      }
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
