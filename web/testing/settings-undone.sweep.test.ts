import { describe, expect, it } from 'vitest'
import { PERMISSIONS } from '../../server/src/capabilities/groups/contract/permissions.ts'
import { REALM_SETTING_NAMES } from '../../server/src/capabilities/organizations/contract/settings.ts'
import { USER_SETTING_NAMES } from '../../server/src/capabilities/users/contract/settings.ts'
import { hasBrowser } from './browser.ts'
import {
  eachSettingsPage,
  canUndoChange,
  SETTINGS_WITHOUT_DEFAULT,
  USER_SETTINGS_WITHOUT_CONTROL,
  SEPARATELY_TESTED_SETTINGS,
  ownerWithPrivateChannel,
  findSettings,
  SERVER_DEPENDENT_SETTINGS,
  ORGANIZATION_SETTINGS_WITHOUT_CONTROL,
} from './setting-rows.ts'
import { useTeam } from './shared.ts'

const { makeTeam, openPage } = useTeam()

describe.skipIf(!hasBrowser)('settings', () => {
  it('applies every setting immediately and restores it with Undo', async () => {
    const page = await openPage(await ownerWithPrivateChannel(makeTeam()), '/settings/appearance')
    const changed = new Set<string>()
    const changedOfNewPeople = new Set<string>()
    page.on('request', (request) => {
      if (request.method() !== 'PATCH') return
      const isOfNewPeople = request.url().endsWith('/realm/user_settings_defaults')
      for (const name of new URLSearchParams(request.postData() ?? '').keys()) {
        ;(isOfNewPeople ? changedOfNewPeople : changed).add(name)
      }
    })
    const stuck: string[] = []
    await eachSettingsPage(page, async (section) => {
      for (const { id } of await findSettings(page)) {
        if (SEPARATELY_TESTED_SETTINGS.includes(id)) continue
        if (!(await canUndoChange(page, id))) stuck.push(`${section}/${id}`)
      }
    })
    expect(stuck).toEqual([])
    const unchangedSettings = (names: readonly string[], left: Readonly<Record<string, string>>): string[] =>
      names.filter(
        (name) =>
          ![...changed, ...SEPARATELY_TESTED_SETTINGS, ...SERVER_DEPENDENT_SETTINGS, ...Object.keys(left)].includes(
            name,
          ),
      )
    expect(
      unchangedSettings(
        [...REALM_SETTING_NAMES, ...Object.keys(PERMISSIONS.realm)],
        ORGANIZATION_SETTINGS_WITHOUT_CONTROL,
      ),
    ).toEqual([])
    expect(unchangedSettings(USER_SETTING_NAMES, USER_SETTINGS_WITHOUT_CONTROL)).toEqual([])
    const own = USER_SETTING_NAMES.filter((name) => changed.has(name))
    expect(own.filter((name) => !changedOfNewPeople.has(name))).toEqual(SETTINGS_WITHOUT_DEFAULT)
    const excused = Object.keys({ ...ORGANIZATION_SETTINGS_WITHOUT_CONTROL, ...USER_SETTINGS_WITHOUT_CONTROL })
    expect(excused.filter((name) => changed.has(name))).toEqual([])
  }, 240_000)
})
