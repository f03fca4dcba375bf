import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, addressOf, hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { clipped, untranslated } from './language-faults.ts'
import { fullOrganization, isTooWide, pathsOf, settled, VIEW_GROUPS } from './views.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const WIDTHS = [1440, 320] as const
const LANGUAGES = ['en-XA', 'ar-XB'] as const

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
})
