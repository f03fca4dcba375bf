import { call } from '@parley/client'
import { users } from '@parley/server/contract'
import type { SettingsOfOthers, SettingsGroup, SettingsSection, SaveResult } from '../../kernel/setting.ts'
import { store, sync } from '../../platform/client.ts'
import { trackChange } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'

/** Settings without a default for new users, because the organization, each person, or this client chooses them. */
const SETTINGS_WITHOUT_DEFAULT = ['default_language', 'enter_sends', 'allow_private_data_export']

/** Throws errors, so that the control that changed the setting can show them. */
const newUserDefaults: SettingsOfOthers = {
  read: (name) => store().read('realm_user_settings_defaults')[name],
  write: async (name, value): Promise<SaveResult> => {
    const before = newUserDefaults.read(name)
    predictDefault(name, value)
    try {
      await trackChange(call(SESSION, users.updateUserSettingsDefaults, { [name]: value }))
    } catch (error) {
      // Keeps a newer value that was chosen during the request.
      if (newUserDefaults.read(name) === value) predictDefault(name, before)
      throw error
    }
    return 'saved'
  },
}

function predictDefault(property: string, value: unknown): void {
  sync.predict({ type: 'realm_user_settings_defaults', op: 'update', property, value })
}

export function newUserSettings(sections: readonly SettingsSection[]): readonly SettingsGroup[] {
  const groups = sections
    .filter(({ of }) => of === 'person')
    .flatMap((section) =>
      section.groups.map(({ title, settings, ...more }) => ({
        ...more,
        title: title ?? section.title,
        settings: settings.flatMap((setting) =>
          setting.kind === 'select' || setting.kind === 'switch' ? (setting.ofOthers?.(newUserDefaults) ?? []) : [],
        ),
      })),
    )
    .map((group) => ({ ...group, settings: group.settings.filter(({ id }) => !SETTINGS_WITHOUT_DEFAULT.includes(id)) }))
    .filter(({ settings }) => settings.length > 0)
  const titles = [...new Set(groups.map(({ title }) => title))]
  return titles.map((title) => ({
    ...groups.find((group) => group.title === title),
    title,
    settings: groups.filter((group) => group.title === title).flatMap(({ settings }) => settings),
  }))
}
