import type { FunctionComponent } from 'preact'
import { groups as appearance } from './capabilities/appearance/settings.ts'
import { ApiTokens } from './capabilities/api-tokens/parts/tokens.tsx'
import { AuditLog } from './capabilities/audit-log/parts/audit-log.tsx'
import { BanList } from './capabilities/bans/parts/list.tsx'
import { Bots } from './capabilities/bots/parts/bots.tsx'
import { DefaultChannels } from './capabilities/channels/parts/default-channels.tsx'
import { isGuest } from './capabilities/channels/rights.ts'
import { communityGroups } from './capabilities/community/administration.tsx'
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
import { ToolAccessSettings } from './capabilities/mcp/parts/tools.tsx'
import { MeasurementTable } from './capabilities/measurements/parts/numbers.tsx'
import { groups as messages } from './capabilities/messages/settings.ts'
import { BlockedPeople } from './capabilities/muted-users/parts/blocked.tsx'
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
import { isAdministrator, isModerator, isOwner } from './capabilities/users/state.ts'
import { loadAdministration, ta } from './kernel/administration.ts'
import type { IconName } from './kernel/icons.ts'
import { loadLaterTexts, loadSecurityTexts, tl, ts } from './kernel/later-texts.ts'
import type { Setting, SettingsGroup, SettingsSection } from './kernel/setting.ts'
import { t } from './kernel/strings.ts'

type SectionBase = Omit<SettingsSection, 'id' | 'icon' | 'title' | 'groups'>

const PERSONAL_SECTION: SectionBase = { of: 'person' }
const MEMBER_SECTION: SectionBase = { of: 'organization', when: () => !isGuest() }
const ADMIN_SECTION: SectionBase = { of: 'organization', when: isAdministrator }
const OWNER_SECTION: SectionBase = { of: 'organization', when: isOwner, isLast: true }
const INVITER_SECTION: SectionBase = {
  ...ADMIN_SECTION,
  when: () => isAdministrator() || mayInvite(),
  Beside: WaitingCount,
}
const REPORT_READER_SECTION: SectionBase = { ...ADMIN_SECTION, when: () => isAdministrator() || readsReports() }
const MODERATOR_SECTION: SectionBase = { of: 'organization', when: isModerator }
const NEW_USER_SECTION: SectionBase = {
  ...ADMIN_SECTION,
  note: () => ta().accounts.newPeopleMore,
  madeOf: newUserSettings,
}

const security: SettingsGroup = {
  settings: [
    partSetting('second-factor', SecondFactorPart, () => [
      ts().secondFactor,
      ts().more,
      ta().synonyms.settings.secondFactor,
    ]),
    partSetting('passkeys', Passkeys, () => [ts().passkeys.title, ts().passkeys.more, ta().synonyms.settings.passkeys]),
    partSetting('password', PasswordPart, () => [
      ts().password.title,
      ts().password.more,
      ta().synonyms.settings.password,
    ]),
    partSetting('other-access', OtherAccessPart, () => [
      ts().otherAccess.title,
      ts().otherAccess.more,
      ta().synonyms.settings.otherAccess,
    ]),
  ],
}

const sections: readonly SettingsSection[] = [
  createSection(PERSONAL_SECTION, 'profile', 'person', () => tl().ownAccount.title, profile),
  createSection(PERSONAL_SECTION, 'appearance', 'appearance', () => ta().appearance.title, appearance),
  createSection(PERSONAL_SECTION, 'notifications', 'bell', () => ta().notifications.title, notifications),
  createSection(PERSONAL_SECTION, 'reading', 'feed', () => tl().settings.reading, messages),
  createSection(PERSONAL_SECTION, 'writing', 'writing', () => tl().settings.writing, composer),
  createSection(PERSONAL_SECTION, 'views', 'menu', () => ta().habits.sidebar, navigationViews),
  createSection(PERSONAL_SECTION, 'keys', 'keyboard', () => t().keys.title, keys),
  createSection(PERSONAL_SECTION, 'security', 'lock', () => ts().security, [security]),
  settingPage(
    PERSONAL_SECTION,
    'blocked',
    'block',
    BlockedPeople,
    ({ blocking }) => [blocking.title, blocking.title, blocking.more],
    'people',
  ),
  settingPage(
    PERSONAL_SECTION,
    'devices',
    'device',
    Devices,
    ({ devices }) => [devices.title, devices.where],
    'sessions',
  ),
  settingPage(
    PERSONAL_SECTION,
    'tokens',
    'code',
    ApiTokens,
    ({ apiTokens: { title, more } }) => [title, title, more],
    'api-tokens',
  ),
  settingPage(
    PERSONAL_SECTION,
    'speed',
    'poll',
    MeasurementTable,
    ({ measurements }) => [measurements.title, measurements.here],
    'numbers',
  ),
  createSection(ADMIN_SECTION, 'organization', 'settings', () => ta().organization.profile, organization.profile),
  settingPage(ADMIN_SECTION, 'people', 'person', Accounts, ({ accounts }) => [accounts.title, accounts.all]),
  settingPage(INVITER_SECTION, 'invitations', 'send', Invitations, ({ invitations }) => [
    invitations.title,
    invitations.all,
  ]),
  createSection(ADMIN_SECTION, 'joining', 'plus', () => ta().organization.joining, organization.joining),
  createSection(NEW_USER_SECTION, 'new-people', 'person', () => ta().accounts.newPeople, []),
  settingPage(ADMIN_SECTION, 'profile-fields', 'list', Fields, ({ fields }) => [fields.title, fields.all]),
  settingPage(MEMBER_SECTION, 'groups', 'person', Groups, ({ groups }) => [groups.title, groups.all], 'list'),
  createSection(MEMBER_SECTION, 'permissions', 'lock', () => ta().permissions.title, permissionGroups),
  createSection(ADMIN_SECTION, 'messages', 'feed', () => ta().organization.messages, organization.messages),
  createSection(ADMIN_SECTION, 'retention', 'archive', () => ta().content.retention, organization.retention),
  createSection(MODERATOR_SECTION, 'community', 'lock', () => ta().community.title, communityGroups),
  createSection(REPORT_READER_SECTION, 'reports', 'report', () => ta().content.reports, organization.reports),
  settingPage(MODERATOR_SECTION, 'bans', 'lock', BanList, ({ bans }) => [bans.title, bans.title, bans.more]),
  settingPage(ADMIN_SECTION, 'default-channels', 'hash', DefaultChannels, ({ content }) => [
    content.defaults,
    content.defaultsAll,
  ]),
  settingPage(MEMBER_SECTION, 'emoji', 'smile', CustomEmoji, ({ content }) => [content.emoji, content.ownEmoji], 'own'),
  settingPage(ADMIN_SECTION, 'links', 'link', Linkifiers, ({ content }) => [content.linkifiers, content.linkifiersAll]),
  settingPage(ADMIN_SECTION, 'playgrounds', 'code', Playgrounds, ({ content }) => [
    content.playgrounds,
    content.playgroundsAll,
  ]),
  settingPage(MEMBER_SECTION, 'bots', 'code', Bots, ({ bots }) => [bots.title, bots.programs]),
  createSection(MEMBER_SECTION, 'integrations', 'link', () => ta().integrations.title, [integrationSettings]),
  settingPage(ADMIN_SECTION, 'tools', 'link', ToolAccessSettings, ({ tools }) => [tools.title, tools.access], 'access'),
  settingPage(ADMIN_SECTION, 'statistics', 'poll', Statistics, ({ statistics: { title, all, more } }) => [
    title,
    all,
    more,
  ]),
  settingPage(
    ADMIN_SECTION,
    'audit-log',
    'recent',
    AuditLog,
    ({ audit }) => [audit.title, audit.entries, audit.more],
    'entries',
  ),
  createSection(ADMIN_SECTION, 'exports', 'archive', () => ta().exports.title, [exportSettings]),
  settingPage(ADMIN_SECTION, 'health', 'device', Health, ({ health }) => [health.title, health.all]),
  createSection(OWNER_SECTION, 'deactivation', 'close', () => ta().ending.title, organization.deactivation),
]

export async function loadSections(): Promise<readonly SettingsSection[]> {
  await Promise.all([loadAdministration(), loadIntegrationTexts(), loadLaterTexts(), loadSecurityTexts()])
  return sections
}

function createSection(
  base: SectionBase,
  id: string,
  icon: IconName,
  title: () => string,
  groups: readonly SettingsGroup[],
): SettingsSection {
  const synonyms = (): string | undefined => {
    const pages: Readonly<Record<string, string | undefined>> = ta().synonyms.pages
    return pages[id]
  }
  return { ...base, id, icon, title, synonyms, groups }
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
  return createSection(base, id, icon, () => titles(ta())[0], [
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
  texts: () => readonly [title: string, note: string | undefined, synonyms?: string],
): Setting {
  return { id, kind: 'part', title: () => texts()[0], note: () => texts()[1], synonyms: () => texts()[2], Part }
}
