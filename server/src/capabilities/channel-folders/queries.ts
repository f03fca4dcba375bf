import type { Input, Output } from '../../kernel/endpoint.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import type { ChannelFolder } from './contract.ts'
import type * as contract from './contract.ts'

const ALL_FOLDERS = `
  select id, name, description, rendered_description, position as "order", date_created, creator_id, is_archived
  from channel_folders where organization_id = $1 order by position`

export async function foldersOf(db: Db, organizationId: number): Promise<ChannelFolder[]> {
  return db.rows('channel_folders', ALL_FOLDERS, [organizationId])
}

export async function getChannelFolders(
  { db, organizationId }: Reader,
  { include_archived }: Input<typeof contract.getChannelFolders>,
): Promise<Output<typeof contract.getChannelFolders>> {
  const folders = await foldersOf(db, organizationId)
  return { channel_folders: folders.filter((folder) => include_archived || !folder.is_archived) }
}

/** Includes archived folders, because the event that unarchives a folder contains only the changed field. */
export async function channelFoldersSnapshot(db: Db, { organization }: Viewer): Promise<Record<string, unknown>> {
  return { channel_folders: await foldersOf(db, organization.id) }
}
