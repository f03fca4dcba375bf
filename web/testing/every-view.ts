import { describe, expect, it } from 'vitest'
import { addressOf, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { textFaults } from './translated.ts'
import { faultsInThemes } from './usable.ts'
import { createFullOrganization, groupPaths, waitUntilLoaded, type ViewGroup } from './views.ts'

/* Sweeps of all views, in groups that test files check in parallel. */

export const WIDTHS = [320, 768, 1440] as const

export function testUsability(groups: readonly ViewGroup[]): void {
  const { server, openPage } = useTeam()
  describe.skipIf(!hasBrowser)('accessibility of views', () => {
    it.each(groups)('shows accessible views at each width in each theme: %s', async (group) => {
      const full = await createFullOrganization(server())
      const faults: unknown[] = []
      const page = await openPage(full.owner)
      for (const path of groupPaths(group, full)) {
        await page.goto(addressOf(full.owner, path))
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 })
          await waitUntilLoaded(page)
          for (const fault of await faultsInThemes(page)) faults.push([path, width, fault])
        }
      }
      expect(faults).toEqual([])
    })
  })
}

export function testTexts(language: 'en-XA' | 'ar-XB', groups: readonly ViewGroup[]): void {
  const { server, openPage } = useTeam()
  describe.skipIf(!hasBrowser)('text layout of views', () => {
    it.each(groups)(`shows the texts of ${language} in full at each width: %s`, async (group) => {
      const full = await createFullOrganization(server())
      const faults: unknown[] = []
      const page = await openPage(full.owner)
      for (const path of groupPaths(group, full)) {
        await page.goto(addressOf(full.owner, `${path}${path.includes('?') ? '&' : '?'}lang=${language}`))
        await page.locator(`html[lang=${language}]`).waitFor()
        for (const fault of await textFaults(page, language)) faults.push([path, fault])
      }
      expect(faults).toEqual([])
    })
  })
}
