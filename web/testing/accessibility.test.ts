import { describe, expect, it } from 'vitest'
import { accessibilityFaults, addressOf, hasBrowser, openWindow } from './browser.ts'
import { useTeam } from './shared.ts'
import {
  COLOR_RULES,
  faultsInThemes,
  overlayFaults,
  layoutFaults,
  findSmallTargets,
  FREQUENT_TARGETS,
  THEMES,
  useTheme,
} from './usable.ts'
import { createFullOrganization, isTooWide, mainViewPaths, waitUntilLoaded, showView } from './views.ts'

const { server, browser, team, visit } = useTeam({}, createFullOrganization)

const WIDTHS = [320, 1440]

describe.skipIf(!hasBrowser)('main views', () => {
  // Checks each view fully at one width, and its layout at both widths. The sweeps check all of this at both widths.
  it.each(WIDTHS)('shows accessible main views at %i px', async (width) => {
    const full = await team()
    const page = await visit(full.owner, '/inbox', { viewport: { width, height: 900 } })
    const faults: unknown[] = []
    for (const [index, path] of mainViewPaths(full).entries()) {
      await showView(page, path)
      const isInFull = WIDTHS[index % WIDTHS.length] === width
      for (const fault of isInFull ? await faultsInThemes(page, [THEMES[0]]) : await layoutFaults(page))
        faults.push([path, fault])
    }
    expect(faults).toEqual([])
  })

  it.each(THEMES.slice(1))('keeps enough contrast in the main views in the $name theme', async (theme) => {
    const full = await team()
    const page = await visit(full.owner)
    const faults: unknown[] = []
    for (const path of ['/inbox', `/c/${full.channelId}/t/beans`, '/settings/appearance']) {
      await showView(page, path)
      for (const fault of await faultsInThemes(page, [theme])) faults.push([path, fault])
    }
    expect(faults).toEqual([])
  })

  it('detects low contrast in each theme', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/inbox')
    await waitUntilLoaded(page)
    await page.getByRole('main').evaluate((main) => {
      const planted = document.createElement('p')
      planted.id = 'planted'
      planted.textContent = 'Planted words'
      Object.assign(planted.style, { color: '#777', background: '#888', forcedColorAdjust: 'none' })
      main.append(planted)
    })
    for (const theme of THEMES) {
      await useTheme(page, theme)
      const found = await accessibilityFaults(page, COLOR_RULES)
      expect([theme.name, found]).toEqual([theme.name, [expect.stringContaining('Planted words')]])
    }
    await page.locator('#planted').evaluate((planted) => planted.remove())
  })

  it('detects touch targets that are too small', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/inbox')
    await waitUntilLoaded(page)
    expect(await findSmallTargets(page)).toEqual([])
    await page.getByRole('main').evaluate((main) => {
      const planted = document.createElement('button')
      planted.id = 'planted'
      Object.assign(planted.style, { width: '20px', height: '30px' })
      main.append(planted)
    })
    expect(await findSmallTargets(page)).toEqual([expect.stringMatching(/^20×30 /)])
    await page.locator('#planted').evaluate((planted) => planted.remove())
  })
})

describe.skipIf(!hasBrowser)('touch screens', () => {
  it('enlarges controls for fingers at every density', async () => {
    const full = await team()
    const page = await visit(full.owner, '/inbox', {
      viewport: { width: 320, height: 640 },
      hasTouch: true,
      isMobile: true,
    })
    await page.evaluate(() => {
      document.documentElement.dataset['density'] = 'compact'
    })
    const faults: unknown[] = []
    const check = async (view: string): Promise<void> => {
      const found = [...(await findSmallTargets(page)), ...(await findSmallTargets(page, FREQUENT_TARGETS))]
      for (const fault of found) faults.push([view, fault])
    }
    const topic = `/c/${full.channelId}/t/beans`
    for (const path of ['/inbox', '/recent', '/search', `/c/${full.channelId}`, '/settings/appearance', topic]) {
      await showView(page, path)
      await check(path)
    }
    await page.getByRole('feed').getByText('Mine').tap()
    await page.getByRole('toolbar').waitFor()
    await check('toolbar')
    await page.getByRole('toolbar').getByRole('button', { name: 'More' }).tap()
    await page.getByRole('menu').waitFor()
    await check('menu')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Channels', exact: true }).tap()
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor()
    await check('channels')
    expect(faults).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('overlays', () => {
  it('shows accessible overlays', async () => {
    const full = await team()
    const page = await visit(full.owner, `/c/${full.channelId}/t/beans`)
    expect(await overlayFaults(page)).toEqual([])
  })

  it('returns the focus to the button that opened a menu', async () => {
    const full = await team()
    const page = await visit(full.owner, `/c/${full.channelId}/t/beans`)
    const more = page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first()
    await more.click()
    await page.getByRole('menuitem', { name: 'Mute topic' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await expect.poll(() => more.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

describe.skipIf(!hasBrowser)('sign-in form', () => {
  it('shows an accessible sign-in form at each width', async () => {
    const { owner } = await server().organization('Hill & Valley')
    const page = await (await openWindow(browser())).newPage()
    await page.goto(addressOf(owner))
    await page.getByRole('heading', { name: 'Sign in to Hill & Valley' }).waitFor()
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 700 })
      expect(await accessibilityFaults(page)).toEqual([])
      expect(await isTooWide(page)).toBe(false)
      expect(await findSmallTargets(page)).toEqual([])
    }
  })
})
