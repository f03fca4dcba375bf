import { lockDownUpdated } from '../../community/contract.ts'
import { lockDownProjection } from '../../community/queries.ts'
import { customEmojiChanged } from '../../custom-emoji/contract.ts'
import { customEmojiProjection } from '../../custom-emoji/queries.ts'
import { dataExportsChanged } from '../../data-exports/contract.ts'
import { invitesChanged } from '../../invitations/contract.ts'
import { linkifiersChanged } from '../../linkifiers/contract.ts'
import { linkifiersOf } from '../../linkifiers/queries.ts'
import {
  realmDeactivated,
  realmDomainAdded,
  realmDomainChanged,
  realmDomainRemoved,
  realmSettingsUpdated,
  realmUpdated,
} from '../../organizations/contract/index.ts'
import { organizationOf, SETTING_DEFAULTS, settingsOf } from '../../organizations/queries/index.ts'
import { playgroundsChanged } from '../../playgrounds/contract.ts'
import { playgroundsOf } from '../../playgrounds/queries.ts'
import { customProfileFieldsChanged, userSettingsDefaultUpdated } from '../../users/contract/index.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { AuditChange, AuditKind } from '../contract.ts'
import {
  describeChange,
  describeNameListChange,
  changeWithoutValues,
  describeEvent,
  type AuditDescription,
  type EventDescription,
} from './described.ts'

const LEGACY_SETTINGS = ['mandatory_topics']

export const organizationDescriptions: readonly EventDescription[] = [
  describeEvent(lockDownUpdated, ({ organization, payload: { ends_at: endsAt } }) => [
    {
      kind: 'settings',
      action: endsAt === null ? 'lock_down_ended' : 'locked_down',
      target: null,
      changes: describeChange('lock_down_ends_at', organization.of(lockDownProjection).endsAt, endsAt),
    },
  ]),
  describeEvent(realmUpdated, ({ organization, audience, payload: { property, value } }) =>
    // For particular users, the event only means that they can now see or no longer see the channel in the setting.
    audience.users === undefined
      ? describeSettings(describeChange(property, settingOf(organization, property), value))
      : [],
  ),
  describeEvent(realmSettingsUpdated, ({ organization, payload: { property, data } }) => {
    if (property !== 'default') return describeSettings(changeWithoutValues(property))
    return describeSettings(
      Object.entries(data)
        .filter(([name]) => !LEGACY_SETTINGS.includes(name))
        .flatMap(([name, value]) => describeChange(name, settingOf(organization, name), value)),
    )
  }),
  describeEvent(userSettingsDefaultUpdated, ({ payload: { property, value } }) =>
    describeSettings(describeChange(`default_${property}`, undefined, value)),
  ),
  describeEvent(realmDomainAdded, ({ payload: { realm_domain: added } }) =>
    describeSettings(describeChange('domains', [], [added.domain])),
  ),
  describeEvent(realmDomainChanged, ({ payload: { realm_domain: one } }) =>
    describeSettings(describeChange(`subdomains_of_${one.domain}`, undefined, one.allow_subdomains)),
  ),
  describeEvent(realmDomainRemoved, ({ payload: { domain } }) =>
    describeSettings(describeChange('domains', [domain], [])),
  ),
  describeEvent(realmDeactivated, () => describeWithoutTarget('settings', 'deactivated')),
  describeEvent(customEmojiChanged, ({ organization, payload: { realm_emoji: all } }) => {
    const before = [...organization.of(customEmojiProjection).byName.keys()]
    const after = Object.values(all).filter(({ deactivated }) => !deactivated)
    return describeContent(
      describeNameListChange(
        'emoji',
        before,
        after.map(({ name }) => name),
      ),
    )
  }),
  describeEvent(linkifiersChanged, ({ organization, payload: { realm_linkifiers: all } }) =>
    describeContent(
      describeNameListChange('linkifiers', linkifiersOf(organization).map(patternOf), all.map(patternOf)),
    ),
  ),
  describeEvent(playgroundsChanged, ({ organization, payload: { realm_playgrounds: all } }) =>
    describeContent(describeNameListChange('playgrounds', playgroundsOf(organization).map(nameOf), all.map(nameOf))),
  ),
  describeEvent(customProfileFieldsChanged, () => describeContent(changeWithoutValues('profile_fields'))),
  // Omits the invited people, because only their inviters can see them.
  describeEvent(invitesChanged, ({ actorId }) =>
    actorId === null ? [] : describeWithoutTarget('invitations', 'changed'),
  ),
  describeEvent(dataExportsChanged, ({ actorId, now, payload: { exports } }) => {
    if (actorId === null) return []
    const begun = exports.filter((one) => one.pending && one.export_time === now && one.acting_user_id === actorId)
    const deleted = exports.filter((one) => one.deleted_timestamp === now)
    return [
      ...begun.flatMap((one) => describeExport('begun', one.export_type)),
      ...deleted.flatMap((one) => describeExport('deleted', one.export_type)),
    ]
  }),
]

const patternOf = ({ pattern }: { readonly pattern: string }): string => pattern
const nameOf = ({ name }: { readonly name: string }): string => name

function settingOf(organization: OrganizationState, property: string): unknown {
  const { name, description, settings: stored } = organizationOf(organization)
  const known: Readonly<Record<string, unknown>> = {
    ...SETTING_DEFAULTS,
    ...stored,
    ...settingsOf(organization),
    realm_name: name,
    realm_description: description,
  }
  return known[`realm_${property}`] ?? known[property]
}

function describeWithoutTarget(
  kind: AuditKind,
  action: string,
  changes: readonly AuditChange[] = [],
): readonly AuditDescription[] {
  return [{ kind, action, target: null, changes: [...changes] }]
}

function describeSettings(changes: readonly AuditChange[]): readonly AuditDescription[] {
  return changes.length === 0 ? [] : describeWithoutTarget('settings', 'changed', changes)
}

function describeContent(changes: readonly AuditChange[]): readonly AuditDescription[] {
  return describeWithoutTarget('content', 'changed', changes)
}

function describeExport(action: string, type: number): readonly AuditDescription[] {
  return describeWithoutTarget('exports', action, describeChange('export_type', undefined, type))
}
