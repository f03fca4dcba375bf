import { describe, expect, it } from 'vitest'
import { PERMISSIONS } from '../../server/src/capabilities/groups/contract/permissions.ts'
import { REALM_SETTING_NAMES } from '../../server/src/capabilities/organizations/contract/settings.ts'
import { USER_SETTING_NAMES } from '../../server/src/capabilities/users/contract/settings.ts'
import { hasBrowser, show } from './browser.ts'
import {
  eachSettingsPage,
  canFindInPalette,
  canUndoChange,
  SETTINGS_WITHOUT_DEFAULT,
  USER_SETTINGS_WITHOUT_CONTROL,
  ownerWithPrivateChannel,
  findSettings,
  SERVER_DEPENDENT_SETTINGS,
  ORGANIZATION_SETTINGS_WITHOUT_CONTROL,
  type FoundSetting,
} from './setting-rows.ts'
import { useTeam } from './shared.ts'

const { makeTeam, openPage, team, visit } = useTeam()

const SAMPLED_SECTIONS = ['appearance', 'organization', 'permissions']

describe.skipIf(!hasBrowser)('settings', () => {
  it('shows every setting, finds a sample of settings in the palette, and undoes changes to the sample', async () => {
    const page = await openPage(await ownerWithPrivateChannel(makeTeam()), '/settings/appearance')
    const all: FoundSetting[] = []
    await eachSettingsPage(page, async (section, title) => {
      for (const setting of await findSettings(page)) all.push({ section, title, ...setting })
    })
    expect(all.filter(({ label }) => label === '')).toEqual([])
    const ids = new Set(all.map(({ id }) => id))
    const excused = [
      ...SETTINGS_WITHOUT_DEFAULT,
      ...SERVER_DEPENDENT_SETTINGS,
      ...Object.keys({ ...ORGANIZATION_SETTINGS_WITHOUT_CONTROL, ...USER_SETTINGS_WITHOUT_CONTROL }),
    ]
    const named = [...REALM_SETTING_NAMES, ...Object.keys(PERMISSIONS.realm), ...USER_SETTING_NAMES]
    expect(named.filter((name) => !ids.has(name) && !excused.includes(name))).toEqual([])
    const samples = SAMPLED_SECTIONS.flatMap((section) => all.filter((one) => one.section === section).slice(0, 1))
    expect(samples).toHaveLength(SAMPLED_SECTIONS.length)
    for (const setting of samples) {
      expect(await canFindInPalette(page, setting)).toBe(true)
      expect(await canUndoChange(page, setting.id)).toBe(true)
      await show(page, '/inbox')
    }
  })

  it('gives setting names at least half the width of the row on a tablet', async () => {
    const page = await visit((await team()).owner, '/settings/profile', { viewport: { width: 768, height: 900 } })
    await page.getByRole('switch').first().waitFor()
    const narrow = await page.locator('.setting').evaluateAll((rows) =>
      rows.flatMap((row) => {
        const name = row.querySelector('.setting-name')
        return name !== null && name.clientWidth < row.clientWidth / 2 ? [name.textContent] : []
      }),
    )
    expect(narrow).toEqual([])
  })
})
