import { describe, expect, it } from 'vitest'
import { addressOf, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { faultsOfTexts } from './translated.ts'
import { fullOrganization, pathsOf, VIEW_GROUPS } from './views.ts'

const { server, openPage } = useTeam()

const LANGUAGES = ['en-XA', 'ar-XB'] as const

describe.skipIf(!hasBrowser)('every view', () => {
  it.each(LANGUAGES.flatMap((language) => VIEW_GROUPS.map((group) => [language, group] as const)))(
    'holds the texts of %s at each width: %s',
    async (language, group) => {
      const full = await fullOrganization(server())
      const faults: unknown[] = []
      const page = await openPage(full.owner)
      for (const path of pathsOf(group, full)) {
        await page.goto(addressOf(full.owner, `${path}${path.includes('?') ? '&' : '?'}lang=${language}`))
        await page.locator(`html[lang=${language}]`).waitFor()
        for (const fault of await faultsOfTexts(page, language)) faults.push([path, fault])
      }
      expect(faults).toEqual([])
    },
  )
})
