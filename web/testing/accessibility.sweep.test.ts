import { describe, expect, it } from 'vitest'
import { accessibilityFaults, addressOf, hasBrowser, openWindow } from './browser.ts'
import { WIDTHS } from './every-view.ts'
import { useTeam } from './shared.ts'
import { overlayFaults, findSmallTargets, THEMES } from './usable.ts'
import { createFullOrganization, isTooWide } from './views.ts'

const { server, browser, openPage } = useTeam()

describe.skipIf(!hasBrowser)('overlays', () => {
  it.each(THEMES)('shows accessible overlays in the $name theme', async ({ options }) => {
    const full = await createFullOrganization(server())
    const page = await openPage(full.owner, `/c/${full.channelId}/t/beans`, options)
    expect(await overlayFaults(page)).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('sign-in form', () => {
  it.each(THEMES)('shows an accessible sign-in form at each width in the $name theme', async ({ options }) => {
    const { owner } = await server().organization('Hill & Valley')
    const page = await (await openWindow(browser(), options)).newPage()
    await page.goto(addressOf(owner))
    await page.getByRole('heading', { name: 'Sign in to Hill & Valley' }).waitFor()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 700 })
      expect(await accessibilityFaults(page)).toEqual([])
      expect(await isTooWide(page)).toBe(false)
      expect(await findSmallTargets(page)).toEqual([])
    }
  })
})
