import { describe, expect, it } from 'vitest'
import { PERMISSIONS } from '../../server/src/capabilities/groups/contract/permissions.ts'
import { REALM_SETTING_NAMES } from '../../server/src/capabilities/organizations/contract/settings.ts'
import { USER_SETTING_NAMES } from '../../server/src/capabilities/users/contract/settings.ts'
import { hasBrowser } from './browser.ts'
import {
  eachPage,
  isUndone,
  NOT_FOR_OTHERS,
  NOT_OF_THIS_CLIENT,
  NOT_TRIED,
  ownerWithAll,
  settingsOn,
  WHERE_THE_SERVER_DOES_IT,
  WITHOUT_CONTROL_HERE,
} from './setting-rows.ts'
import { useTeam } from './shared.ts'

const { makeTeam, openPage } = useTeam()

describe.skipIf(!hasBrowser)('settings', () => {
  it('applies every setting immediately and restores it with Undo', async () => {
    const page = await openPage(await ownerWithAll(makeTeam()), '/settings/appearance')
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
    await eachPage(page, async (section) => {
      for (const { id } of await settingsOn(page)) {
        if (NOT_TRIED.includes(id)) continue
        if (!(await isUndone(page, id))) stuck.push(`${section}/${id}`)
      }
    })
    expect(stuck).toEqual([])
    const unchangedSettings = (names: readonly string[], left: Readonly<Record<string, string>>): string[] =>
      names.filter(
        (name) => ![...changed, ...NOT_TRIED, ...WHERE_THE_SERVER_DOES_IT, ...Object.keys(left)].includes(name),
      )
    expect(
      unchangedSettings([...REALM_SETTING_NAMES, ...Object.keys(PERMISSIONS.realm)], WITHOUT_CONTROL_HERE),
    ).toEqual([])
    expect(unchangedSettings(USER_SETTING_NAMES, NOT_OF_THIS_CLIENT)).toEqual([])
    const own = USER_SETTING_NAMES.filter((name) => changed.has(name))
    expect(own.filter((name) => !changedOfNewPeople.has(name))).toEqual(NOT_FOR_OTHERS)
    const excused = Object.keys({ ...WITHOUT_CONTROL_HERE, ...NOT_OF_THIS_CLIENT })
    expect(excused.filter((name) => changed.has(name))).toEqual([])
  }, 240_000)
})
