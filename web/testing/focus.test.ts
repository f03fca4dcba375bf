import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { focusFault, focusFaultsByTab } from './focused.ts'
import { useTeam } from './shared.ts'
import { leaveComposer } from './team.ts'
import { createFullOrganization, waitUntilLoaded, showView } from './views.ts'

const { team, visit } = useTeam({}, createFullOrganization)

describe.skipIf(!hasBrowser)('keyboard focus', () => {
  it.each([
    { width: 320, view: 'a topic', path: '/t/beans' },
    { width: 1440, view: 'a channel', path: '' },
  ])('shows the focus wherever Tab moves it in $view at $width px', async ({ width, path }) => {
    const full = await team()
    const page = await visit(full.owner, `/c/${full.channelId}${path}`, { viewport: { width, height: 700 } })
    await waitUntilLoaded(page)
    expect(await focusFaultsByTab(page)).toEqual([])
  })

  it('returns the focus to the button that opened an overlaying panel', async () => {
    const full = await team()
    const page = await visit(full.owner)
    for (const width of [320, 1000]) {
      await page.setViewportSize({ width, height: 700 })
      await showView(page, `/c/${full.channelId}`)
      const opener = page.getByRole('main').getByRole('button', { name: 'Details' })
      const panel = page.getByRole('complementary', { name: 'Details' })
      const isBack = async (): Promise<boolean> => opener.evaluate((element) => element === document.activeElement)
      // A loading view shows a placeholder with the same button, which would lose the focus.
      await waitUntilLoaded(page)
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

  it('returns the focus from the emoji picker to the button that opened it', async () => {
    const full = await team()
    const page = await visit(full.owner, `/c/${full.channelId}/t/beans`)
    await waitUntilLoaded(page)
    await leaveComposer(page)
    await page.keyboard.press('k')
    const opener = page.getByRole('toolbar').getByRole('button', { name: 'Add reaction' })
    await opener.press('Enter')
    const search = page.getByRole('searchbox', { name: 'Search emoji' })
    await search.waitFor()
    await expect.poll(() => search.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await search.waitFor({ state: 'hidden' })
    await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('keeps the focus on a shortcut that was changed', async () => {
    const full = await team()
    const page = await visit(full.owner, '/settings/keys')
    const change = page.getByRole('button', { name: 'Change shortcut: Open inbox' })
    const isThere = async (): Promise<boolean> => change.evaluate((element) => element === document.activeElement)
    for (const key of ['Control+Shift+9', 'Escape']) {
      await change.press('Enter')
      await page.getByRole('button', { name: /^Press a key/ }).waitFor()
      await page.keyboard.press(key)
      await expect.poll(isThere).toBe(true)
    }
    for (const button of ['Remove shortcut', 'Reset shortcut']) {
      await page.getByRole('button', { name: `${button}: Open inbox` }).press('Enter')
      await page.getByRole('button', { name: `${button}: Open inbox` }).waitFor({ state: 'hidden' })
      expect(await isThere()).toBe(true)
    }
  })

  it('detects an invisible focus', async () => {
    const full = await team()
    const page = await visit(full.owner, '/settings/appearance')
    await waitUntilLoaded(page)
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('* { outline: none !important }')
      document.adoptedStyleSheets = [sheet]
    })
    await page.getByLabel('Theme').waitFor()
    await page.getByRole('switch', { name: 'High contrast' }).focus()
    await page.keyboard.press('Tab')
    expect(await focusFault(page)).toMatchObject({ fault: 'does not show the focus' })
    await page.evaluate(() => {
      document.adoptedStyleSheets = []
    })
  })
})
