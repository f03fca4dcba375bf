import { DamagedArchive } from '../../platform/moving/damage.ts'
import type { Conversion, Service } from '../convert.ts'
import type { OrganizationFacts } from '../new-organization.ts'
import { jsonIn, type ExportFiles } from '../export-files.ts'
import { readEmoji, readPictures, readUploads } from './files.ts'
import { readChannels, readFolders } from './channels.ts'
import { ZulipGroups } from './groups.ts'
import { readMessages } from './messages.ts'
import { organizationSettings } from './organization-settings.ts'
import { readPeople } from './people.ts'
import { settingsOfNewcomers } from './personal-settings.ts'
import { readProfiles } from './profile.ts'
import { zulipTables } from './records.ts'
import { readSettings } from './settings.ts'

export const zulip: Service = {
  title: 'Zulip',
  word: 'zulip',
  isMarker: (path) => path === 'realm.json',
  read: readZulip,
}

async function readZulip({ files }: ExportFiles, conversion: Conversion): Promise<OrganizationFacts> {
  const file = files.get('realm.json')
  const parsed = zulipTables.safeParse(file === undefined ? undefined : await jsonIn(file))
  const [realm] = parsed.data?.zerver_realm ?? []
  if (!parsed.success || realm === undefined)
    throw new DamagedArchive('realm.json is none: this is no export of Zulip.')
  const tables = parsed.data
  const accounts = await readPeople(tables, files, conversion)
  const groups = await ZulipGroups.read(tables, accounts, conversion)
  await readProfiles(tables, accounts, conversion)
  const folders = await readFolders(tables, accounts, conversion)
  const located = readChannels(tables, { accounts, groups, folders }, conversion)
  const emojiIds = await readEmoji(tables, files, accounts, conversion)
  const uploads = await readUploads(files, accounts, conversion)
  const known = { accounts, groups, ...located, emojiIds, uploads, realmId: realm.id }
  await readSettings(tables, known, conversion)
  await readMessages(tables, files, known, conversion)
  return {
    name: realm.name ?? 'Zulip',
    description: realm.description ?? '',
    settings: await organizationSettings(realm, tables, known, conversion),
    settingsOfNewcomers: settingsOfNewcomers(tables, conversion),
    pictures: await readPictures(realm, files, conversion),
  }
}
