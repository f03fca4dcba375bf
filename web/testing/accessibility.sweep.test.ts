import { describe, expect, it } from 'vitest'
import { accessibilityFaults, addressOf, hasBrowser, openWindow } from './browser.ts'
import { useTeam } from './shared.ts'
import { faultsInThemes, faultsOfOverlays, smallTargets, THEMES } from './usable.ts'
import { fullOrganization, isTooWide, pathsOf, settled, VIEW_GROUPS } from './views.ts'

const { server, browser, openPage } = useTeam()

const WIDTHS = [320, 768, 1440] as const

describe.skipIf(!hasBrowser)('every view', () => {
  it.each(VIEW_GROUPS)('is usable at each width in each theme: %s', async (group) => {
    const full = await fullOrganization(server())
    // All of them at once, since each takes its time to be found.
    const faults: unknown[] = []
    const page = await openPage(full.owner)
    for (const path of pathsOf(group, full)) {
      await page.goto(addressOf(full.owner, path))
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        await settled(page)
        for (const fault of await faultsInThemes(page)) faults.push([path, width, fault])
      }
    }
    expect(faults).toEqual([])
  })
})

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
