import type { Db } from '../../../kernel/transaction.ts'
import { emojiKey } from '../../custom-emoji/queries.ts'
import { archiveKey } from '../../data-exports/queries/index.ts'
import { pictureKeys as previewKeys } from '../../link-previews/queries.ts'
import { pictureKey } from '../../organizations/queries/pictures.ts'
import { fileKeys } from '../../uploads/queries.ts'
import { avatarKeys } from '../../users/queries/avatars.ts'

interface ReferencedFile {
  readonly kind: 'upload' | 'avatar' | 'preview' | 'emoji' | 'picture' | 'export'
  readonly name: string
  /** Number of the attempt that created an export; part of the names of its files. 0 for other kinds of files. */
  readonly attempts: number
}

const FILE_NAMES = `
  select 'upload' as kind, path_id as name, 0 as attempts from attachments where organization_id = $1
  union all
  select 'avatar', avatar_file, 0 from users where organization_id = $1 and avatar_file is not null
  union all
  select 'preview', picture, 0 from link_previews where organization_id = $1 and picture is not null
  union all
  select 'emoji', file, 0 from realm_emoji where organization_id = $1
  union all
  select 'picture', p.value, 0 from organization_settings s cross join lateral jsonb_each_text(s.pictures) p
  where s.organization_id = $1
  union all
  select 'export', name, attempts from data_exports where organization_id = $1 and deleted_at is null and failed_at is null`

/** Returns the keys of all of an organization's files, including files that may not exist, such as thumbnails. */
export async function referencedFileKeys(reads: Db, organizationId: number): Promise<ReadonlySet<string>> {
  const names = await reads.rows<ReferencedFile>('named_files', FILE_NAMES, [organizationId])
  return new Set(names.flatMap((name) => fileKeysOf(organizationId, name)))
}

function fileKeysOf(organizationId: number, { kind, name, attempts }: ReferencedFile): string[] {
  switch (kind) {
    case 'upload':
      return fileKeys(name)
    case 'avatar':
      return avatarKeys(organizationId, name)
    case 'preview':
      return previewKeys(organizationId, name)
    case 'emoji':
      return [emojiKey(organizationId, `${name}.png`), emojiKey(organizationId, `${name}.gif`)]
    case 'picture':
      return [pictureKey(organizationId, name)]
    case 'export':
      return [archiveKey(organizationId, { name, attempts })]
  }
}
