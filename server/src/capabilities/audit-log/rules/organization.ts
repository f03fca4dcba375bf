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
import { changed, changedNames, changedUntold, described, type Described, type Description } from './described.ts'

/** Legacy fields that repeat another setting. */
const OLDER_WORDS = ['mandatory_topics']

export const ofOrganization: readonly Description[] = [
  described(realmUpdated, ({ organization, audience, payload: { property, value } }) =>
    // Users who gain or lose access to a channel in a setting receive this event, too.
    audience.users === undefined ? settings(changed(property, settingOf(organization, property), value)) : [],
  ),
  described(realmSettingsUpdated, ({ organization, payload: { property, data } }) => {
    if (property !== 'default') return settings(changedUntold(property))
    return settings(
      Object.entries(data)
        .filter(([name]) => !OLDER_WORDS.includes(name))
        .flatMap(([name, value]) => changed(name, settingOf(organization, name), value)),
    )
  }),
  described(userSettingsDefaultUpdated, ({ payload: { property, value } }) =>
    settings(changed(`default_${property}`, undefined, value)),
  ),
  described(realmDomainAdded, ({ payload: { realm_domain: added } }) =>
    settings(changed('domains', [], [added.domain])),
  ),
  described(realmDomainChanged, ({ payload: { realm_domain: one } }) =>
    settings(changed(`subdomains_of_${one.domain}`, undefined, one.allow_subdomains)),
  ),
  described(realmDomainRemoved, ({ payload: { domain } }) => settings(changed('domains', [domain], []))),
  described(realmDeactivated, () => about('settings', 'deactivated')),
  described(customEmojiChanged, ({ organization, payload: { realm_emoji: all } }) => {
    const before = [...organization.of(customEmojiProjection).byName.keys()]
    const after = Object.values(all).filter(({ deactivated }) => !deactivated)
    return content(
      changedNames(
        'emoji',
        before,
        after.map(({ name }) => name),
      ),
    )
  }),
  described(linkifiersChanged, ({ organization, payload: { realm_linkifiers: all } }) =>
    content(changedNames('linkifiers', linkifiersOf(organization).map(patternOf), all.map(patternOf))),
  ),
  described(playgroundsChanged, ({ organization, payload: { realm_playgrounds: all } }) =>
    content(changedNames('playgrounds', playgroundsOf(organization).map(nameOf), all.map(nameOf))),
  ),
  described(customProfileFieldsChanged, () => content(changedUntold('profile_fields'))),
  // Omits the invited people, whom only their inviters can see.
  described(invitesChanged, ({ actorId }) => (actorId === null ? [] : about('invitations', 'changed'))),
  described(dataExportsChanged, ({ actorId, now, payload: { exports } }) => {
    if (actorId === null) return []
    const begun = exports.filter((one) => one.pending && one.export_time === now && one.acting_user_id === actorId)
    const deleted = exports.filter((one) => one.deleted_timestamp === now)
    return [
      ...begun.flatMap((one) => anExport('begun', one.export_type)),
      ...deleted.flatMap((one) => anExport('deleted', one.export_type)),
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

function about(kind: AuditKind, action: string, changes: readonly AuditChange[] = []): readonly Described[] {
  return [{ kind, action, target: null, changes: [...changes] }]
}

function settings(changes: readonly AuditChange[]): readonly Described[] {
  return changes.length === 0 ? [] : about('settings', 'changed', changes)
}

function content(changes: readonly AuditChange[]): readonly Described[] {
  return about('content', 'changed', changes)
}

function anExport(action: string, type: number): readonly Described[] {
  return about('exports', action, changed('export_type', undefined, type))
}
