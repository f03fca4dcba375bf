import { auditLog } from '@parley/server/contract'
import { ta } from '../../kernel/administration.ts'
import type { Setting, SettingsSection } from '../../kernel/setting.ts'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { fullTime } from '../../kernel/time.ts'
import { store } from '../../platform/client.ts'
import { allSections } from '../../platform/settings/sections.ts'
import { channelName } from '../channels/state.ts'
import { holderNames } from '../groups/holders.ts'
import { groupById, groupName } from '../groups/members.ts'
import { RETENTION_FOREVER, timeTitle } from '../organizations/choices.ts'
import { userName } from '../users/state.ts'
import type { Entry } from './entries.ts'

type Texts = Readonly<Record<string, string | undefined>>
type EntryChange = Entry['changes'][number]

function actorOf({ acting_user_id: id, is_by_operator: isByOperator }: Entry): string {
  if (id !== null) return userName(id)
  return isByOperator === true ? ta().audit.operator : ta().audit.server
}

export function entrySentence(entry: Entry): string {
  const texts: Readonly<Record<string, ((who: string, what: string) => string) | undefined>> = ta().audit.what
  const say = texts[entry.action] ?? ta().audit.what.changed
  return say(actorOf(entry), targetText(entry))
}

function targetText({ target, kind }: Entry): string {
  if (target === null) return kind === 'tools' ? ta().audit.wholeOrganization : ta().audit.unnamedTargets[kind]
  return ta().audit.targets[target.type](target.name)
}

export function changeText({ property, from, to }: EntryChange): string {
  const title = titleOf(property)
  if (to === undefined) return title
  const after = changedValueText(property, to)
  return from === undefined
    ? ta().audit.toValue(title, after)
    : ta().audit.fromTo(title, changedValueText(property, from), after)
}

function titleOf(property: string): string {
  const [own, settings, may, inChannel, inGroup]: readonly Texts[] = [
    ta().audit.properties,
    ta().organization.titles,
    ta().permissions.what,
    ta().permissions.inChannel,
    ta().groups.what,
  ]
  const what = may?.[property] ?? inChannel?.[property] ?? inGroup?.[property]
  if (what !== undefined) return ta().audit.may(what)
  const title = settings?.[property] ?? own?.[property]
  if (title !== undefined) return title
  const ofNewPeople = findSettingByProperty(property)
  return ofNewPeople === undefined ? property.replaceAll('_', ' ') : ta().audit.ofNewPeople(ofNewPeople.title())
}

function changedValueText(property: string, value: NonNullable<EntryChange['to']> | null): string {
  const words = typeof value === 'object' && value !== null ? undefined : valueText(property, value)
  if (words !== undefined) return words
  if (value === null || value === '') return ta().audit.nothing
  if (typeof value === 'boolean') return value ? ta().audit.yes : ta().audit.no
  if (Array.isArray(value)) {
    const names = value.map((one) => (typeof one === 'number' ? referencedName(property, one) : one))
    return names.length === 0 ? ta().audit.nothing : names.join(', ')
  }
  if (typeof value === 'object') return holderNames(value).join(', ')
  return typeof value === 'number' ? referencedName(property, value) : value
}

function referencedName(property: string, value: number): string {
  const roles: Readonly<Record<number, string | undefined>> = t().people.roles
  if (property === 'role') return roles[value] ?? String(value)
  if (property.endsWith('_ends_at') || property === 'banned_until') return fullTime(value)
  if (['assignee', 'author', 'members', 'bot_owner_id'].includes(property)) return userName(value)
  if (property === 'default_streams' || property.endsWith('_stream_id') || property.endsWith('_channel_id'))
    return value <= 0 ? ta().organization.noChannel : `#${channelName(value)}`
  const group = property === 'subgroups' || isPermission(property) ? groupById(value) : undefined
  return group === undefined ? String(value) : groupName(group)
}

function isPermission(property: string): boolean {
  return property in ta().permissions.what || property in ta().permissions.inChannel || property.endsWith('_group')
}

export const KINDS = auditLog.AUDIT_KINDS

export function toCsv(entries: readonly Entry[]): string {
  const rows = entries.map((entry) => [
    new Date(entry.timestamp * 1000).toISOString(),
    actorOf(entry),
    entry.kind,
    entry.action,
    entry.target?.type ?? '',
    entry.target?.name ?? '',
    entry.changes.map(changeText).join('; '),
  ])
  const head = ['time', 'by', 'kind', 'action', 'target', 'name', 'changes']
  return [head, ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n') + '\r\n'
}

/** Puts an apostrophe before values that spreadsheets would treat as formulas. */
function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

export function toJson(entries: readonly Entry[]): string {
  return JSON.stringify(entries, undefined, 2)
}

/** In the audit log, the prefix of settings that are defaults for new users. */
const DEFAULT_PREFIX = 'default_'
const DEFAULTS_PAGE_ID = 'new-people'

function findSettingByProperty(property: string): Setting | undefined {
  const pages = (allSections() ?? []).filter(({ of }) => of === 'organization')
  const ofNewPeople = pages.filter(({ id }) => id === DEFAULTS_PAGE_ID)
  return (
    findSetting(
      pages.filter(({ id }) => id !== DEFAULTS_PAGE_ID),
      property,
    ) ??
    (property.startsWith(DEFAULT_PREFIX) ? findSetting(ofNewPeople, property.slice(DEFAULT_PREFIX.length)) : undefined)
  )
}

function findSetting(pages: readonly SettingsSection[], id: string): Setting | undefined {
  return pages.flatMap(({ groups }) => groups.flatMap(({ settings }) => settings)).find((setting) => setting.id === id)
}

function valueText(property: string, value: string | number | boolean | null): string | undefined {
  const key = String(value)
  const own = valueTextsOf(property)?.[key]
  if (own !== undefined) return own
  if (property === 'message_retention_days') return retentionText(value)
  if (property === 'folder_id') return folderName(value)
  const setting = findSettingByProperty(property)
  const option = setting?.kind === 'select' ? setting.options().find((one) => one.key === key) : undefined
  if (option !== undefined) return option.title
  // Other clients can choose time limits that this client does not offer.
  return typeof value === 'number' && property.endsWith('_limit_seconds') ? timeTitle(value) : undefined
}

function valueTextsOf(property: string): Texts | undefined {
  switch (property) {
    case 'tool_access':
      return ta().tools.accesses
    case 'public_names':
      return ta().organization.publicNameForms
    case 'registration_challenge':
      return ta().organization.difficulties
    case 'second_factor_required_of':
      return ta().organization.secondFactorOf
    case 'export_type':
      return ta().exports.types
    case 'state':
      return tl().reports.filters
    case 'pinned_to':
      return ta().audit.pinScopes
    case 'topics_policy':
      return ta().audit.topicPolicies
    case 'giphy_rating':
      return ta().audit.ratings
    default:
      return undefined
  }
}

function retentionText(value: string | number | boolean | null): string | undefined {
  if (value === null) return tl().channel.asElsewhere
  if (typeof value !== 'number') return undefined
  return value === RETENTION_FOREVER ? ta().content.forEver : ta().content.forDays(value)
}

function folderName(value: string | number | boolean | null): string | undefined {
  return store()
    .read('channel_folders')
    .find(({ id }) => id === value)?.name
}
