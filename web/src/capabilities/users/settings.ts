import type { SettingsGroup, SettingsSection } from '../../kernel/setting.ts'
import { select, toggle } from '../../kernel/setting.ts'
import { ta } from '../../kernel/administration.ts'
import { t } from '../../kernel/strings.ts'
import { serverSetting } from '../../platform/preferences.ts'
import { store } from '../../platform/client.ts'
import { isVisible } from './own-menu.ts'
import { EmailPart } from './parts/own-email.tsx'
import { NamePart, PicturePart } from './parts/own-account.tsx'
import { OwnFields } from './parts/own-fields.tsx'
import { timezone } from './timezone.ts'

const consentsToExport = serverSetting('allow_private_data_export', false)

/** What one says of oneself. */
const groups: readonly SettingsGroup[] = [
  {
    settings: [
      { id: 'name', kind: 'part', title: () => t().people.fullName, Part: NamePart },
      { id: 'picture', kind: 'part', title: () => t().people.picture, Part: PicturePart },
      { id: 'email', kind: 'part', title: () => ta().ownEmail.title, note: () => ta().ownEmail.more, Part: EmailPart },
      select({ id: 'timezone', title: () => t().people.timezone }, timezone, () => [
        ['', t().people.noTimezone],
        ...Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')] as const),
      ]),
      {
        id: 'fields',
        kind: 'part',
        title: () => t().people.fields,
        when: () => store().read('custom_profile_fields').length > 0,
        Part: OwnFields,
      },
      toggle(
        { id: 'presence', title: () => t().people.showPresence, note: () => t().people.showPresenceMore },
        isVisible,
      ),
      // Its texts are those of the administration, which are there before any setting is shown.
      toggle(
        { id: 'export-consent', title: () => ta().exports.consent, note: () => ta().exports.consentMore },
        consentsToExport,
      ),
    ],
  },
]

export const sections: readonly SettingsSection[] = [
  { id: 'profile', of: 'person', title: () => t().people.ownProfile, icon: 'person', groups },
]
