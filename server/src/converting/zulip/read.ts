import { DamagedArchive } from '../../platform/backup/reporting.ts'
import type { Conversion, Service } from '../convert.ts'
import type { OrganizationFacts } from '../new-organization.ts'
import { placeOf } from '../export-file.ts'
import { fileOf, jsonIn, type ExportFiles } from '../export-files.ts'
import { ZULIP } from '../kinds.ts'
import { readEmoji, readPictures, readUploads } from './files.ts'
import { readChannels, readFolders } from './channels.ts'
import { ZulipGroups } from './groups.ts'
import { readMessages } from './messages.ts'
import { organizationSettings } from './organization-settings.ts'
import { readPeople } from './people.ts'
import { settingsOfNewcomers } from './personal-settings.ts'
import { readProfiles } from './profile.ts'
import { zulipTables } from './records.ts'
import { cleanLine } from '../texts.ts'
import { readSettings } from './settings.ts'

export const zulip: Service = { ...ZULIP, read: readZulip }

async function readZulip(source: ExportFiles, conversion: Conversion): Promise<OrganizationFacts> {
  const file = fileOf(source, 'realm.json')
  const parsed = zulipTables.safeParse(await jsonIn(file, conversion.leftOut))
  if (!parsed.success) {
    const [table = 'tables'] = parsed.error.issues[0]?.path ?? []
    throw new DamagedArchive(`${placeOf(file)} has no ${String(table)}: this is not a complete Zulip export.`)
  }
  const [realm] = parsed.data.zerver_realm
  if (realm === undefined) throw new DamagedArchive(`${placeOf(file)} names no organization (zerver_realm).`)
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
    settingsOfNewcomers: settingsOfNewcomers(tables, conversion),
    pictures: await readPictures(realm, source, conversion),
  }
}
