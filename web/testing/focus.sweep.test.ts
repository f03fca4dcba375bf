import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { addressOf, hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { focusFaults } from './focus-faults.ts'
import { fullOrganization, pathsOf, VIEW_GROUPS } from './views.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const WIDTHS = [320, 1440] as const

describe.skipIf(!hasBrowser)('the focus', () => {
  it.each(WIDTHS.flatMap((width) => VIEW_GROUPS.map((group) => [width, group] as const)))(
    'is visible wherever Tab takes it, %i px wide: %s',
    async (width, group) => {
      const full = await fullOrganization(server())
      const page = await openAs(browser(), full.owner, '/inbox', { viewport: { width, height: 700 } })
      const faults: unknown[] = []
      for (const path of pathsOf(group, full)) {
        await page.goto(addressOf(full.owner, path))
        for (const fault of await focusFaults(page)) faults.push([path, fault])
      }
      expect(faults).toEqual([])
    },
  )
})
