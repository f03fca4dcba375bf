import { ta } from '../../kernel/administration.ts'
import type { Setting, SettingsSection } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { allSections } from '../../platform/settings/sections.ts'
import { store } from '../../platform/client.ts'
import { RETENTION_DAYS, timeTitle } from '../organizations/limits.ts'

/** In the audit log, the prefix of settings that are defaults for new users. */
const DEFAULT_PREFIX = 'default_'
const DEFAULTS_PAGE = 'new-people'

type Texts = Readonly<Record<string, string | undefined>>

export function settingNamed(property: string): Setting | undefined {
  const pages = (allSections() ?? []).filter(({ of }) => of === 'organization')
  const ofNewPeople = pages.filter(({ id }) => id === DEFAULTS_PAGE)
  return (
    settingIn(
      pages.filter(({ id }) => id !== DEFAULTS_PAGE),
      property,
    ) ??
    (property.startsWith(DEFAULT_PREFIX) ? settingIn(ofNewPeople, property.slice(DEFAULT_PREFIX.length)) : undefined)
  )
}

function settingIn(pages: readonly SettingsSection[], id: string): Setting | undefined {
  return pages.flatMap(({ groups }) => groups.flatMap(({ settings }) => settings)).find((setting) => setting.id === id)
}

export function valueText(property: string, value: string | number | boolean | null): string | undefined {
  const key = String(value)
  const own = fixedTexts(property)?.[key]
  if (own !== undefined) return own
  if (property === 'message_retention_days') return retentionText(value)
  if (property === 'folder_id') return folderName(value)
  const setting = settingNamed(property)
  const option = setting?.kind === 'select' ? setting.options().find((one) => one.key === key) : undefined
  if (option !== undefined) return option.title
  // Other clients can choose time limits that this client does not offer.
  return typeof value === 'number' && property.endsWith('_limit_seconds') ? timeTitle(value) : undefined
}

function fixedTexts(property: string): Texts | undefined {
  switch (property) {
    case 'tool_access':
      return ta().tools.accesses
    case 'second_factor_required_of':
      return ta().organization.secondFactorOf
    case 'export_type':
      return ta().exports.types
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
  if (value === null) return t().channel.asElsewhere
  if (typeof value !== 'number') return undefined
  return value === RETENTION_DAYS[0] ? ta().content.forEver : ta().content.forDays(value)
}

function folderName(value: string | number | boolean | null): string | undefined {
  return store()
    .read('channel_folders')
    .find(({ id }) => id === value)?.name
}
