import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { groupsOfNewPeople } from './newcomers.ts'
import { Accounts } from './parts/accounts.tsx'
import { Fields } from './parts/fields.tsx'
import { isAdministrator } from './state.ts'

export const sections: readonly SettingsSection[] = [
  {
    id: 'people',
    of: 'organization',
    title: () => ta().accounts.title,
    icon: 'person',
    when: isAdministrator,
    groups: [{ settings: [{ id: 'all', kind: 'part', title: () => ta().accounts.all, Part: Accounts }] }],
  },
  {
    id: 'new-people',
    of: 'organization',
    title: () => ta().accounts.newPeople,
    note: () => ta().accounts.newPeopleMore,
    icon: 'person',
    when: isAdministrator,
    groups: [],
    madeOf: groupsOfNewPeople,
  },
  {
    id: 'profile-fields',
    of: 'organization',
    title: () => ta().fields.title,
    icon: 'list',
    when: isAdministrator,
    groups: [{ settings: [{ id: 'all', kind: 'part', title: () => ta().fields.all, Part: Fields }] }],
  },
]
