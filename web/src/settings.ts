import type { FunctionComponent } from 'preact'
import { groups as appearance } from './capabilities/appearance/settings.ts'
import { ApiTokens } from './capabilities/api-tokens/parts/tokens.tsx'
import { AuditLog } from './capabilities/audit-log/parts/audit-log.tsx'
import { Bots } from './capabilities/bots/parts/bots.tsx'
import { DefaultChannels } from './capabilities/channels/parts/default-channels.tsx'
import { isGuest } from './capabilities/channels/rights.ts'
import { groups as composer } from './capabilities/composer/settings.ts'
import { CustomEmoji } from './capabilities/custom-emoji/parts/custom-emoji.tsx'
import { exportSettings } from './capabilities/data-exports/parts/exports.tsx'
import { Groups } from './capabilities/groups/parts/groups.tsx'
import { integrationSettings } from './capabilities/integrations/parts/integration.tsx'
import { loadIntegrationTexts } from './capabilities/integrations/state.ts'
import { Invitations, WaitingCount } from './capabilities/invitations/parts/invitations.tsx'
import { mayInvite } from './capabilities/invitations/inviting.ts'
import { groups as keys } from './capabilities/keys/settings.ts'
import { Linkifiers } from './capabilities/linkifiers/parts/linkifiers.tsx'
import { Tools } from './capabilities/mcp/parts/tools.tsx'
import { MeasurementTable } from './capabilities/measurements/parts/numbers.tsx'
import { groups as messages } from './capabilities/messages/settings.ts'
import { groups as navigationViews } from './capabilities/navigation-views/settings.ts'
import { groups as notifications } from './capabilities/notifications/settings.ts'
import { groups as organization } from './capabilities/organizations/administration.ts'
import { permissionGroups } from './capabilities/organizations/permissions.tsx'
import { Passkeys } from './capabilities/passkeys/parts/passkeys.tsx'
import { Playgrounds } from './capabilities/playgrounds/parts/playgrounds.tsx'
import { readsReports } from './capabilities/reports/state.ts'
import { SecondFactorPart } from './capabilities/second-factors/parts/second-factor.tsx'
import { Health } from './capabilities/server-health/parts/health.tsx'
import { Devices } from './capabilities/sessions/parts/devices.tsx'
import { Statistics } from './capabilities/statistics/parts/statistics.tsx'
import { newUserSettings } from './capabilities/users/newcomers.ts'
import { Accounts } from './capabilities/users/parts/accounts.tsx'
import { Fields } from './capabilities/users/parts/fields.tsx'
import { OtherAccessPart, PasswordPart } from './capabilities/users/parts/own-account.tsx'
import { groups as profile } from './capabilities/users/settings.ts'
import { isAdministrator, isOwner } from './capabilities/users/state.ts'
import { loadAdministration, ta } from './kernel/administration.ts'
import type { IconName } from './kernel/icons.ts'
import { loadSecurityTexts, ts } from './kernel/security-texts.ts'
import type { Setting, SettingsGroup, SettingsSection } from './kernel/setting.ts'
import { t } from './kernel/strings.ts'

type SectionBase = Omit<SettingsSection, 'id' | 'icon' | 'title' | 'groups'>

const PERSONAL: SectionBase = { of: 'person' }
const MEMBERS: SectionBase = { of: 'organization', when: () => !isGuest() }
const ADMINS: SectionBase = { of: 'organization', when: isAdministrator }
const OWNERS: SectionBase = { of: 'organization', when: isOwner, isLast: true }
const INVITERS: SectionBase = { ...ADMINS, when: () => isAdministrator() || mayInvite(), Beside: WaitingCount }
const REPORT_READERS: SectionBase = { ...ADMINS, when: () => isAdministrator() || readsReports() }
const NEW_USERS: SectionBase = { ...ADMINS, note: () => ta().accounts.newPeopleMore, madeOf: newUserSettings }

const security: SettingsGroup = {
  settings: [
    partSetting('second-factor', SecondFactorPart, () => [ts().secondFactor, ts().more]),
    partSetting('passkeys', Passkeys, () => [ts().passkeys.title, ts().passkeys.more]),
    partSetting('password', PasswordPart, () => [ts().password.title, ts().password.more]),
    partSetting('other-access', OtherAccessPart, () => [ts().otherAccess.title, ts().otherAccess.more]),
  ],
}

const sections: readonly SettingsSection[] = [
  section(PERSONAL, 'appearance', 'appearance', () => ta().appearance.title, appearance),
  section(PERSONAL, 'keys', 'keyboard', () => t().keys.title, keys),
  section(PERSONAL, 'reading', 'feed', () => t().settings.reading, messages),
  section(ADMINS, 'organization', 'settings', () => ta().organization.profile, organization.profile),
  section(ADMINS, 'messages', 'feed', () => ta().organization.messages, organization.messages),
  section(REPORT_READERS, 'reports', 'report', () => ta().content.reports, organization.reports),
  section(ADMINS, 'joining', 'plus', () => ta().organization.joining, organization.joining),
  section(ADMINS, 'retention', 'archive', () => ta().content.retention, organization.retention),
  section(MEMBERS, 'permissions', 'lock', () => ta().permissions.title, permissionGroups),
  section(OWNERS, 'deactivation', 'close', () => ta().ending.title, organization.deactivation),
  settingPage(MEMBERS, 'groups', 'person', Groups, ({ groups }) => [groups.title, groups.all], 'list'),
  section(PERSONAL, 'profile', 'person', () => t().people.ownProfile, profile),
  settingPage(ADMINS, 'people', 'person', Accounts, ({ accounts }) => [accounts.title, accounts.all]),
  section(NEW_USERS, 'new-people', 'person', () => ta().accounts.newPeople, []),
  settingPage(ADMINS, 'profile-fields', 'list', Fields, ({ fields }) => [fields.title, fields.all]),
  settingPage(INVITERS, 'invitations', 'send', Invitations, ({ invitations }) => [invitations.title, invitations.all]),
  settingPage(MEMBERS, 'bots', 'code', Bots, ({ bots }) => [bots.title, bots.programs]),
  section(MEMBERS, 'integrations', 'link', () => ta().integrations.title, [integrationSettings]),
  section(ADMINS, 'exports', 'archive', () => ta().exports.title, [exportSettings]),
  settingPage(
    ADMINS,
    'audit-log',
    'recent',
    AuditLog,
    ({ audit }) => [audit.title, audit.entries, audit.more],
    'entries',
  ),
  settingPage(ADMINS, 'statistics', 'poll', Statistics, ({ statistics: { title, all, more } }) => [title, all, more]),
  settingPage(ADMINS, 'health', 'device', Health, ({ health }) => [health.title, health.all]),
  settingPage(MEMBERS, 'emoji', 'smile', CustomEmoji, ({ content }) => [content.emoji, content.ownEmoji], 'own'),
  settingPage(ADMINS, 'links', 'link', Linkifiers, ({ content }) => [content.linkifiers, content.linkifiersAll]),
  settingPage(ADMINS, 'playgrounds', 'code', Playgrounds, ({ content }) => [
    content.playgrounds,
    content.playgroundsAll,
  ]),
  settingPage(ADMINS, 'tools', 'link', Tools, ({ tools }) => [tools.title, tools.access], 'access'),
  settingPage(ADMINS, 'default-channels', 'hash', DefaultChannels, ({ content }) => [
    content.defaults,
    content.defaultsAll,
  ]),
  section(PERSONAL, 'views', 'menu', () => t().nav.views, navigationViews),
  section(PERSONAL, 'writing', 'writing', () => t().settings.writing, composer),
  section(PERSONAL, 'notifications', 'bell', () => ta().notifications.title, notifications),
  settingPage(PERSONAL, 'devices', 'device', Devices, ({ devices }) => [devices.title, devices.where], 'sessions'),
  section(PERSONAL, 'security', 'lock', () => ts().security, [security]),
  settingPage(
    PERSONAL,
    'tokens',
    'code',
    ApiTokens,
    ({ apiTokens: { title, more } }) => [title, title, more],
    'api-tokens',
  ),
  settingPage(
    PERSONAL,
    'speed',
    'poll',
    MeasurementTable,
    ({ measurements }) => [measurements.title, measurements.here],
    'numbers',
  ),
]

export async function loadSections(): Promise<readonly SettingsSection[]> {
  await Promise.all([loadAdministration(), loadIntegrationTexts(), loadSecurityTexts()])
  return sections
}

function section(
  base: SectionBase,
  id: string,
  icon: IconName,
  title: () => string,
  groups: readonly SettingsGroup[],
): SettingsSection {
  return { ...base, id, icon, title, groups }
}

type Titles = readonly [section: string, setting: string, note?: string]

function settingPage(
  base: SectionBase,
  id: string,
  icon: IconName,
  Part: FunctionComponent,
  titles: (texts: ReturnType<typeof ta>) => Titles,
  settingId = 'all',
): SettingsSection {
  return section(base, id, icon, () => titles(ta())[0], [
    {
      settings: [
        partSetting(settingId, Part, () => {
          const [, title, note] = titles(ta())
          return [title, note]
        }),
      ],
    },
  ])
}

function partSetting(
  id: string,
  Part: FunctionComponent,
  texts: () => readonly [title: string, note: string | undefined],
): Setting {
  return { id, kind: 'part', title: () => texts()[0], note: () => texts()[1], Part }
}
