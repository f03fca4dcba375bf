import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { isAdministrator } from '../users/state.ts'
import { DefaultChannels } from './parts/default-channels.tsx'

export { MailAddress } from './parts/mail-address.tsx'
export { Permissions } from './parts/permissions.tsx'

export const sections: readonly SettingsSection[] = [
  {
    id: 'default-channels',
    of: 'organization',
    title: () => ta().content.defaults,
    icon: 'hash',
    when: isAdministrator,
    groups: [{ settings: [{ id: 'all', kind: 'part', title: () => ta().content.defaultsAll, Part: DefaultChannels }] }],
  },
]
