import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import {
  eachSettingsPage,
  canFindInPalette,
  ownerWithPrivateChannel,
  findSettings,
  type FoundSetting,
} from './setting-rows.ts'
import { useTeam } from './shared.ts'

const { makeTeam, openPage } = useTeam()

describe.skipIf(!hasBrowser)('settings in the command palette', () => {
  it('finds every setting by its label in the palette, and opens its page', async () => {
    const page = await openPage(await ownerWithPrivateChannel(makeTeam()), '/settings/appearance')
    const all: FoundSetting[] = []
    await eachSettingsPage(page, async (section, title) => {
      for (const setting of await findSettings(page)) all.push({ section, title, ...setting })
    })
    expect(all.length).toBeGreaterThan(100)
    expect(all.filter(({ label }) => label === '')).toEqual([])
    const lost: string[] = []
    for (const setting of all) if (!(await canFindInPalette(page, setting))) lost.push(setting.label)
    expect(lost).toEqual([])
  }, 240_000)
})
