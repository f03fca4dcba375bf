import { users } from '@parley/server/contract'
import {
  selectSetting,
  toggleSetting,
  textSetting,
  type Choice,
  type Option,
  type SettingsGroup,
} from '../../kernel/setting.ts'
import { ta } from '../../kernel/administration.ts'
import { tl } from '../../kernel/later-texts.ts'
import { serverSetting } from '../../platform/preferences.ts'
import { store } from '../../platform/client.ts'
import { callOrToast } from '../../platform/requests.ts'
import { changeName } from './actions.ts'
import { showsPresence } from './status.ts'
import { EmailPart, PicturePart } from './parts/own-account.tsx'
import { OwnFields } from './parts/own-fields.tsx'
import { OwnPublicName } from './parts/public-names.tsx'
import { isAdministrator, ownId, userName, userById } from './state.ts'

/** Adds the user's own zone if it is missing: browsers do not list all names that they accept, such as UTC. */
function timeZones(): readonly string[] {
  const zones = Intl.supportedValuesOf('timeZone')
  const own = timezone.read()
  return own === '' || zones.includes(own) ? zones : [own, ...zones]
}

/** Other people see the user's local time in this zone. Empty if not set. */
const timezone: Choice<string> = {
  read: () => userById(ownId())?.timezone ?? '',
  write: async (value) =>
    (await callOrToast(users.updateSettings, { timezone: value })) === undefined ? 'refused' : 'saved',
}

/** Suggests the browser's zone if the user's zone is another one. */
function suggestedZone(): Option | undefined {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (canonicalZone(timezone.read()) === zone || !timeZones().includes(zone)) return undefined
  return { key: zone, title: ta().ownZone.use(zoneTitle(zone)) }
}

/** Some zones have several names, such as Asia/Calcutta and Asia/Kolkata. */
function canonicalZone(name: string): string {
  try {
    return Intl.DateTimeFormat(undefined, { timeZone: name }).resolvedOptions().timeZone
  } catch {
    // The zone is not set, or this browser does not know it.
    return name
  }
}

function zoneTitle(zone: string): string {
  return zone.replaceAll('_', ' ')
}

const ownName: Choice<string> = {
  read: () => userName(ownId()),
  write: async (name) => {
    await changeName(name)
    return 'saved'
  },
}

const consentsToExport = serverSetting('allow_private_data_export', false)

/** Values of `email_address_visibility`, from most to fewest readers. */
const EMAIL_VISIBILITY_VALUES = [1, 2, 5, 3, 4] as const

/** These settings can use the administration texts, which load before any settings page is shown. */
export const groups: readonly SettingsGroup[] = [
  {
    settings: [
      textSetting(
        {
          id: 'name',
          title: () => tl().ownAccount.fullName,
          synonyms: () => ta().synonyms.settings.name,
          maxLength: users.MAX_FULL_NAME_CHARACTERS,
          isRequired: true,
          fixed: () =>
            store().read('realm_name_changes_disabled') && !isAdministrator() ? tl().ownAccount.nameIsFixed : undefined,
        },
        ownName,
      ),
      {
        id: 'picture',
        kind: 'part',
        isBeside: true,
        title: () => tl().ownAccount.picture,
        synonyms: () => ta().synonyms.settings.picture,
        Part: PicturePart,
      },
      {
        id: 'email',
        kind: 'part',
        isBeside: true,
        title: () => ta().ownEmail.title,
        synonyms: () => ta().synonyms.settings.ownEmail,
        note: () => ta().ownEmail.more,
        Part: EmailPart,
      },
      selectSetting(
        {
          id: 'timezone',
          title: () => tl().ownAccount.timezone,
          synonyms: () => ta().synonyms.settings.timezone,
          suggestion: suggestedZone,
        },
        timezone,
        () => [['', tl().ownAccount.noTimezone], ...timeZones().map((zone) => [zone, zoneTitle(zone)] as const)],
      ),
      {
        id: 'fields',
        kind: 'part',
        title: () => tl().ownAccount.fields,
        when: () => store().read('custom_profile_fields').length > 0,
        Part: OwnFields,
      },
    ],
  },
  {
    title: () => ta().habits.privacy,
    settings: [
      toggleSetting(
        {
          id: 'presence',
          title: () => tl().ownAccount.showPresence,
          synonyms: () => ta().synonyms.settings.presence,
          note: () => tl().ownAccount.showPresenceMore,
        },
        showsPresence,
      ),
      selectSetting(
        { id: 'address', title: () => ta().habits.address, synonyms: () => ta().synonyms.settings.address },
        serverSetting('email_address_visibility', 1),
        () => EMAIL_VISIBILITY_VALUES.map((readers) => [readers, ta().habits.addressFor[readers]]),
      ),
      {
        id: 'public_name',
        kind: 'part',
        isBeside: true,
        title: () => ta().habits.publicName,
        synonyms: () => ta().synonyms.settings.publicName,
        note: () => ta().habits.publicNameMore,
        when: () => store().read('server_web_public_streams_enabled') && store().read('realm_enable_spectator_access'),
        Part: OwnPublicName,
      },
      toggleSetting(
        {
          id: 'receipts',
          title: () => ta().habits.receipts,
          synonyms: () => ta().synonyms.settings.receipts,
          note: () => ta().habits.receiptsMore,
        },
        serverSetting('send_read_receipts', true),
      ),
      toggleSetting(
        { id: 'typing-direct', title: () => ta().habits.typingDirect, synonyms: () => ta().synonyms.settings.typing },
        serverSetting('send_private_typing_notifications', true),
      ),
      toggleSetting(
        { id: 'typing-channel', title: () => ta().habits.typingChannel, synonyms: () => ta().synonyms.settings.typing },
        serverSetting('send_stream_typing_notifications', true),
      ),
      toggleSetting(
        {
          id: 'export-consent',
          title: () => ta().exports.consent,
          synonyms: () => ta().synonyms.settings.consent,
          note: () => ta().exports.consentMore,
        },
        consentsToExport,
      ),
    ],
  },
]
