import { describe, expect, it } from 'vitest'
import { accessibilityFaults, addressOf, hasBrowser, openWindow } from './browser.ts'
import { WIDTHS } from './every-view.ts'
import { useTeam } from './shared.ts'
import { faultsOfOverlays, smallTargets, THEMES } from './usable.ts'
import { fullOrganization, isTooWide } from './views.ts'

const { server, browser, openPage } = useTeam()

describe.skipIf(!hasBrowser)('what opens over a view', () => {
  it.each(THEMES)('is usable in $name', async ({ options }) => {
    const full = await fullOrganization(server())
    const page = await openPage(full.owner, `/c/${full.channelId}/t/beans`, options)
    expect(await faultsOfOverlays(page)).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('the form that signs in', () => {
  it.each(THEMES)('is usable at each width in $name', async ({ options }) => {
    const { owner } = await server().organization('Hill & Valley')
    const page = await (await openWindow(browser(), options)).newPage()
    await page.goto(addressOf(owner))
    await page.getByRole('heading', { name: 'Sign in to Hill & Valley' }).waitFor()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 700 })
      expect(await accessibilityFaults(page)).toEqual([])
      expect(await isTooWide(page)).toBe(false)
      expect(await smallTargets(page)).toEqual([])
    }
  })
})
