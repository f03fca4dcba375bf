import { describe, expect, it } from 'vitest'
import { addressOf, hasBrowser } from './browser.ts'
import { focusFaultsByTab } from './focused.ts'
import { useTeam } from './shared.ts'
import { createFullOrganization, waitUntilLoaded, allViewPaths } from './views.ts'

const { server, openPage } = useTeam()

describe.skipIf(!hasBrowser)('keyboard focus', () => {
  it.each([320, 1440])(
    'shows the focus wherever Tab moves it in any view at %i px',
    async (width) => {
      const full = await createFullOrganization(server())
      const page = await openPage(full.owner, '/inbox', { viewport: { width, height: 700 } })
      const faults: unknown[] = []
      for (const path of allViewPaths(full)) {
        await page.goto(addressOf(full.owner, path))
        await waitUntilLoaded(page)
        for (const fault of await focusFaultsByTab(page)) faults.push([path, fault])
      }
      expect(faults).toEqual([])
    },
    240_000,
  )
})
