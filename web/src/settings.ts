import type { FunctionComponent } from 'preact'
import { sections as appearance } from './capabilities/appearance/settings.ts'
import { ApiTokens } from './capabilities/api-tokens/parts/tokens.tsx'
import { AuditLog } from './capabilities/audit-log/parts/audit-log.tsx'
import { Bots } from './capabilities/bots/parts/bots.tsx'
import { DefaultChannels } from './capabilities/channels/parts/default-channels.tsx'
import { isGuest } from './capabilities/channels/rights.ts'
import { sections as composer } from './capabilities/composer/settings.ts'
import { CustomEmoji } from './capabilities/custom-emoji/parts/custom-emoji.tsx'
import { Consents, Exports } from './capabilities/data-exports/parts/exports.tsx'
import { Groups } from './capabilities/groups/parts/groups.tsx'
import { integrationSettings } from './capabilities/integrations/parts/integration.tsx'
import { loadIntegrationTexts } from './capabilities/integrations/state.ts'
import { Invitations, WaitingCount } from './capabilities/invitations/parts/invitations.tsx'
import { mayInvite } from './capabilities/invitations/rights.ts'
import { sections as keys } from './capabilities/keys/settings.ts'
import { Linkifiers } from './capabilities/linkifiers/parts/linkifiers.tsx'
import { Tools } from './capabilities/mcp/parts/tools.tsx'
import { Numbers } from './capabilities/measurements/parts/numbers.tsx'
import { sections as messages } from './capabilities/messages/settings.ts'
import { sections as navigationViews } from './capabilities/navigation-views/settings.ts'
import { sections as notifications } from './capabilities/notifications/settings.ts'
import { sections as organizations } from './capabilities/organizations/administration.ts'
import { Passkeys } from './capabilities/passkeys/parts/passkeys.tsx'
import { Playgrounds } from './capabilities/playgrounds/parts/playgrounds.tsx'
import { SecondFactorPart } from './capabilities/second-factors/parts/second-factor.tsx'
import { Health } from './capabilities/server-health/parts/health.tsx'
import { Devices } from './capabilities/sessions/parts/devices.tsx'
import { Statistics } from './capabilities/statistics/parts/statistics.tsx'
import { groupsOfNewPeople } from './capabilities/users/newcomers.ts'
import { Accounts } from './capabilities/users/parts/accounts.tsx'
import { Fields } from './capabilities/users/parts/fields.tsx'
import { OtherAccessPart, PasswordPart } from './capabilities/users/parts/own-account.tsx'
import { sections as users } from './capabilities/users/settings.ts'
import { isAdministrator } from './capabilities/users/state.ts'
import { loadAdministration, ta } from './kernel/administration.ts'
import type { IconName } from './kernel/icons.ts'
import { loadSecurityTexts, ts } from './kernel/security-texts.ts'
import type { Setting, SettingsGroup, SettingsSection } from './kernel/setting.ts'

const sections: readonly SettingsSection[] = [
  ...appearance,
  ...keys,
  ...messages,
  ...organizations,
  {
    ...forMembers('groups', 'person'),
    title: () => ta().groups.title,
    groups: withoutGroups(part('list', () => ta().groups.all, Groups)),
  },
  ...users,
  {
    ...forAdministrators('people', 'person'),
    title: () => ta().accounts.title,
    groups: withoutGroups(part('all', () => ta().accounts.all, Accounts)),
  },
  {
    ...forAdministrators('new-people', 'person'),
    title: () => ta().accounts.newPeople,
    groups: [],
    note: () => ta().accounts.newPeopleMore,
    madeOf: groupsOfNewPeople,
  },
  {
    ...forAdministrators('profile-fields', 'list'),
    title: () => ta().fields.title,
    groups: withoutGroups(part('all', () => ta().fields.all, Fields)),
  },
  {
    ...forAdministrators('invitations', 'send'),
    title: () => ta().invitations.title,
    groups: withoutGroups(part('all', () => ta().invitations.all, Invitations)),
    Beside: WaitingCount,
    when: () => isAdministrator() || mayInvite(),
  },
  {
    ...forMembers('bots', 'code'),
    title: () => ta().bots.title,
    groups: withoutGroups(part('all', () => ta().bots.programs, Bots)),
  },
  {
    ...forMembers('integrations', 'link'),
    title: () => ta().integrations.title,
    groups: [integrationSettings],
  },
  {
    ...forAdministrators('exports', 'archive'),
    title: () => ta().exports.title,
    groups: withoutGroups(
      { ...part('archives', () => ta().exports.archives, Exports), note: () => ta().exports.archivesMore },
      { ...part('consents', () => ta().exports.consents, Consents), note: () => ta().exports.consentsMore },
    ),
  },
  {
    ...forAdministrators('audit-log', 'recent'),
    title: () => ta().audit.title,
    groups: withoutGroups({ ...part('entries', () => ta().audit.entries, AuditLog), note: () => ta().audit.more }),
  },
  {
    ...forAdministrators('statistics', 'poll'),
    title: () => ta().statistics.title,
    groups: withoutGroups({ ...part('all', () => ta().statistics.all, Statistics), note: () => ta().statistics.more }),
  },
  {
    ...forAdministrators('health', 'device'),
    title: () => ta().health.title,
    groups: withoutGroups(part('all', () => ta().health.all, Health)),
  },
  {
    ...forMembers('emoji', 'smile'),
    title: () => ta().content.emoji,
    groups: withoutGroups(part('own', () => ta().content.ownEmoji, CustomEmoji)),
  },
  {
    ...forAdministrators('links', 'link'),
    title: () => ta().content.linkifiers,
    groups: withoutGroups(part('all', () => ta().content.linkifiersAll, Linkifiers)),
  },
  {
    ...forAdministrators('playgrounds', 'code'),
    title: () => ta().content.playgrounds,
    groups: withoutGroups(part('all', () => ta().content.playgroundsAll, Playgrounds)),
  },
  {
    ...forAdministrators('tools', 'link'),
    title: () => ta().tools.title,
    groups: withoutGroups(part('access', () => ta().tools.access, Tools)),
  },
  {
    ...forAdministrators('default-channels', 'hash'),
    title: () => ta().content.defaults,
    groups: withoutGroups(part('all', () => ta().content.defaultsAll, DefaultChannels)),
  },
  ...navigationViews,
  ...composer,
  ...notifications,
  {
    ...forUser('devices', 'device'),
    title: () => ta().devices.title,
    groups: withoutGroups(part('sessions', () => ta().devices.where, Devices)),
  },
  {
    ...forUser('security', 'lock'),
    title: () => ts().security,
    groups: withoutGroups(
      { ...part('second-factor', () => ts().secondFactor, SecondFactorPart), note: () => ts().more },
      { ...part('passkeys', () => ts().passkeys.title, Passkeys), note: () => ts().passkeys.more },
      { ...part('password', () => ts().password.title, PasswordPart), note: () => ts().password.more },
      { ...part('other-access', () => ts().otherAccess.title, OtherAccessPart), note: () => ts().otherAccess.more },
    ),
  },
  {
    ...forUser('tokens', 'code'),
    title: () => ta().apiTokens.title,
    groups: withoutGroups({
      ...part('api-tokens', () => ta().apiTokens.title, ApiTokens),
      note: () => ta().apiTokens.more,
    }),
  },
  {
    ...forUser('speed', 'poll'),
    title: () => ta().measurements.title,
    groups: withoutGroups(part('numbers', () => ta().measurements.here, Numbers)),
  },
]

export async function loadSections(): Promise<readonly SettingsSection[]> {
  await Promise.all([loadAdministration(), loadIntegrationTexts(), loadSecurityTexts()])
  return sections
}

type Base = Pick<SettingsSection, 'id' | 'icon' | 'of' | 'when'>

function forUser(id: string, icon: IconName): Base {
  return { id, icon, of: 'person' }
}

function forMembers(id: string, icon: IconName): Base {
  return { id, icon, of: 'organization', when: () => !isGuest() }
}

function forAdministrators(id: string, icon: IconName): Base {
  return { id, icon, of: 'organization', when: isAdministrator }
}

function withoutGroups(...settings: readonly Setting[]): readonly SettingsGroup[] {
  return [{ settings }]
}

function part(id: string, title: () => string, Part: FunctionComponent): Setting {
  return { id, kind: 'part', title, Part }
}
