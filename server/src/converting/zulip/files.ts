import { PICTURE_KINDS, type PictureKind } from '../../capabilities/organizations/queries/index.ts'
import { DamagedArchive } from '../../platform/backup/reporting.ts'
import type { Conversion } from '../convert.ts'
import { normalizePath, describePath, refuseUncertainPath, type ExportFile } from '../export-file.ts'
import { requireFile, itemsOf, readLists, type ExportFiles } from '../export-files.ts'
import type { Account } from '../new-account.ts'
import type { NewPicture } from '../new-organization.ts'
import {
  zulipAttachment,
  zulipAttachments,
  zulipEmoji,
  zulipPicture,
  type ZulipRealm,
  type ZulipTables,
  readRows,
  toUnixSeconds,
} from './records.ts'

const UPLOADED_PICTURE_SOURCE = 'U'

/** @throws DamagedArchive if the folder has files, but the export has no list of them */
function findFileList(source: ExportFiles, path: string, folder: string): ExportFile | undefined {
  const isOne = (other: string): boolean => other.startsWith(`${folder}/`) && other !== `${folder}/records.json`
  return [...source.files.keys()].some(isOne) ? requireFile(source, path) : source.files.get(path)
}

export async function readPictureList(
  folder: string,
  source: ExportFiles,
  conversion: Pick<Conversion, 'leftOut' | 'signal'>,
): Promise<{ readonly file: ExportFile; readonly userId: number | undefined; readonly name: string }[]> {
  const { files } = source
  const list = findFileList(source, `${folder}/records.json`, folder)
  const given: unknown[] = []
  if (list !== undefined) for await (const one of itemsOf(list, conversion)) given.push(one)
  const rows = readRows(`${folder}/records.json`, given, zulipPicture, conversion.leftOut)
  return rows.flatMap(({ path, s3_path: s3, user_profile_id: userId, file_name: name }) => {
    const file = [path, s3]
      .map((one) => files.get(normalizePath(`${folder}/${one ?? ''}`)))
      .find((one) => one !== undefined)
    return file === undefined ? [] : [{ file, userId, name: name ?? file.path.slice(file.path.lastIndexOf('/') + 1) }]
  })
}

export async function readPictures(
  realm: ZulipRealm,
  source: ExportFiles,
  conversion: Conversion,
): Promise<Partial<Record<PictureKind, NewPicture>>> {
  const { files: made, leftOut, carried } = conversion
  const listed = (await readPictureList('realm_icons', source, conversion)).map(({ file }) => file)
  const pictures: Partial<Record<PictureKind, NewPicture>> = {}
  for (const kind of PICTURE_KINDS) {
    // Skips removed images, which may still be in the export.
    if (realm[`${kind}_source`] !== UPLOADED_PICTURE_SOURCE) continue
    const named = (ending: string): ExportFile | undefined =>
      listed.find(({ path }) => path.endsWith(`/${kind}.${ending}`))
    // Includes the PNG, because Parley may not be able to read the original's format.
    const forms = [named('original'), named('png')].filter((file) => file !== undefined)
    const picture = await made.organizationPicture(kind, ...forms)
    if (forms.length === 0) leftOut.add('files missing from the export', kind)
    if (picture === undefined) continue
    pictures[kind] = picture
    carried.add('organization pictures', kind)
  }
  return pictures
}

/** Returns the new ID of each emoji by its ID in the export. */
export async function readEmoji(
  tables: ZulipTables,
  source: ExportFiles,
  accounts: ReadonlyMap<number, Account>,
  conversion: Conversion,
): Promise<Map<string, string>> {
  const { files: made, leftOut, signal } = conversion
  const pictures = new Map((await readPictureList('emoji', source, conversion)).map(({ name, file }) => [name, file]))
  const ids = new Map<string, string>()
  const first = [...accounts.values()].toSorted((a, b) => a.role - b.role)[0]
  for (const emoji of readRows('zerver_realmemoji', tables.zerver_realmemoji, zulipEmoji, leftOut)) {
    signal.throwIfAborted()
    if (emoji.deactivated === true) {
      leftOut.add('deactivated emoji', emoji.name)
      continue
    }
    const file = pictures.get(emoji.file_name ?? '')
    const author = accounts.get(emoji.author ?? 0) ?? first
    if (file === undefined || author === undefined) {
      leftOut.add('emoji without a picture in the export', emoji.name)
      continue
    }
    await made.addEmoji(emoji.name, file, author.id)
    const own = made.emoji.get(emoji.name)
    if (own !== undefined) ids.set(String(emoji.id), String(own.id))
  }
  return ids
}

/** Returns uploaded files by path in the export. */
export async function readUploads(
  source: ExportFiles,
  accounts: ReadonlyMap<number, Account>,
  conversion: Conversion,
): Promise<Map<string, { readonly id: number; readonly path: string }>> {
  const { files: made, leftOut, signal } = conversion
  const uploads = new Map<string, { readonly id: number; readonly path: string }>()
  const list = findFileList(source, 'attachment.json', 'uploads')
  if (list === undefined) return uploads
  const given = zulipAttachments.safeParse(await readLists(list, Object.keys(zulipAttachments.shape), conversion))
  if (!given.success) throw new DamagedArchive(`${describePath(list)} has no list of files (zerver_attachment).`)
  for (const attachment of readRows('zerver_attachment', given.data.zerver_attachment, zulipAttachment, leftOut)) {
    signal.throwIfAborted()
    const { path_id: there, owner, file_name: name, create_time: created } = attachment
    // Skips unreferenced files, which Parley would delete after some weeks.
    if ((attachment.messages ?? []).length === 0) {
      leftOut.add('files that no message links to', there)
      continue
    }
    const file = source.files.get(normalizePath(`uploads/${there}`))
    const account = accounts.get(owner ?? 0)
    if (file === undefined) refuseUncertainPath(there, source.uncertain)
    if (file === undefined || account === undefined || uploads.has(there)) {
      leftOut.add('files missing from the export', there)
      continue
    }
    const createdAt = toUnixSeconds(created) ?? 0
    uploads.set(there, await made.attachment(file, { there, name: name ?? there, ownerId: account.id, createdAt }))
  }
  return uploads
}
