import { FIELD_TYPE } from '../../capabilities/users/contract/profile.ts'
import { DamagedArchive } from '../../platform/backup/reporting.ts'
import { parseUntrustedJson } from '../../platform/moving/lines.ts'
import type { Conversion, Service } from '../convert.ts'
import type { Account } from '../new-account.ts'
import type { OrganizationFacts } from '../new-organization.ts'
import { describePath } from '../export-file.ts'
import { requireFile, readLists, type ExportFiles, ZULIP } from '../export-files.ts'
import { readEmoji, readPictures, readUploads } from './files.ts'
import { readChannels, readFolders } from './channels.ts'
import { ZulipGroups } from './groups.ts'
import { readMessages } from './messages.ts'
import { organizationSettings, newcomerSettings } from './setting-values.ts'
import { readSettings } from './settings.ts'
import { readPeople } from './people.ts'
import { zulipTables, zulipProfileField, zulipProfileValue, type ZulipTables, readRows } from './records.ts'
import { cleanLine } from '../texts.ts'

export const zulip: Service = { ...ZULIP, read: readZulip }

async function readZulip(source: ExportFiles, conversion: Conversion): Promise<OrganizationFacts> {
  const file = requireFile(source, 'realm.json')
  const parsed = zulipTables.safeParse(await readLists(file, Object.keys(zulipTables.shape), conversion))
  if (!parsed.success) {
    const [table = 'tables'] = parsed.error.issues[0]?.path ?? []
    throw new DamagedArchive(`${describePath(file)} has no ${String(table)}: this is not a complete Zulip export.`)
  }
  const [realm] = parsed.data.zerver_realm
  if (realm === undefined) throw new DamagedArchive(`${describePath(file)} names no organization (zerver_realm).`)
  const tables = parsed.data
  const accounts = await readPeople(tables, source, conversion)
  const groups = await ZulipGroups.read(tables, accounts, conversion)
  await readProfiles(tables, accounts, conversion)
  const folders = await readFolders(tables, accounts, conversion)
  const located = readChannels(tables, { accounts, groups, folders }, conversion)
  const emojiIds = await readEmoji(tables, source, accounts, conversion)
  const uploads = await readUploads(source, accounts, conversion)
  const known = { accounts, groups, ...located, emojiIds, uploads, realmId: realm.id }
  await readSettings(tables, known, conversion)
  await readMessages(tables, source, known, conversion)
  return {
    name: cleanLine(realm.name ?? '') || 'Zulip',
    description: realm.description ?? '',
    settings: await organizationSettings(realm, tables, known, conversion),
    settingsOfNewcomers: newcomerSettings(tables, conversion),
    pictures: await readPictures(realm, source, conversion),
  }
}

/** Reads profile fields, whose types have the same numbers in Parley. Importing the archive rejects other types. */
async function readProfiles(
  tables: ZulipTables,
  accounts: ReadonlyMap<number, Account>,
  { organization, leftOut }: Pick<Conversion, 'organization' | 'leftOut'>,
): Promise<void> {
  const fields = readRows('zerver_customprofilefield', tables.zerver_customprofilefield, zulipProfileField, leftOut)
  const known = new Map<number, { readonly id: number; readonly type: number }>()
  for (const [index, field] of fields.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)).entries()) {
    const id = organization.next()
    known.set(field.id, { id, type: field.field_type })
    await organization.addRecord('custom_profile_fields', {
      id,
      type: field.field_type,
      display_order: index + 1,
      name: field.name,
      hint: field.hint ?? '',
      field_data: field.field_data ?? '',
      display_in_profile_summary: field.display_in_profile_summary === true,
      required: field.required === true,
      editable_by_user: field.editable_by_user !== false,
    })
  }
  const values = tables.zerver_customprofilefieldvalue
  for (const said of readRows('zerver_customprofilefieldvalue', values, zulipProfileValue, leftOut)) {
    const [account, field] = [accounts.get(said.user_profile), known.get(said.field)]
    if (account === undefined || field === undefined) continue
    const value = field.type === FIELD_TYPE.users ? convertPeople(said.value, accounts) : said.value
    const html = said.rendered_value
    account.profile ??= new Map()
    account.profile.set(field.id, html === undefined ? { value } : { value, rendered_value: html })
  }
}

function convertPeople(value: string, accounts: ReadonlyMap<number, Account>): string {
  let ids: unknown
  try {
    ids = parseUntrustedJson(value)
  } catch {
    return value
  }
  return Array.isArray(ids) ? JSON.stringify(ids.flatMap((id) => accounts.get(Number(id))?.id ?? [])) : value
}
