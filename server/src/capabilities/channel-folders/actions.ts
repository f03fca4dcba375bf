import { everyone } from '../../kernel/audience.ts'
import { caseKey } from '../../kernel/case-key.ts'
import { isPrintable } from '../../kernel/characters.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { isReordering } from '../../kernel/keys.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import type { ServerFacts } from '../../platform/server-facts.ts'
import { renderDescription } from '../../platform/markdown/render.ts'
import { channelsProjection } from '../channels/queries/index.ts'
import { markdownContextFor } from '../channels/rules/index.ts'
import { isAdministrator } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import {
  channelFolderAdded,
  channelFoldersReordered,
  channelFolderUpdated,
  FOLDER_LIMIT,
  type ChannelFolder,
} from './contract.ts'
import { foldersOf } from './queries.ts'

export async function createChannelFolder(
  tx: ActorTx,
  input: Input<typeof contract.createChannelFolder>,
  server: ServerFacts,
): Promise<Output<typeof contract.createChannelFolder>> {
  requireAdministrator(tx)
  const folders = await foldersOf(tx.db, tx.organizationId)
  if (folders.length >= FOLDER_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `An organization can have at most ${FOLDER_LIMIT.most} channel folders.`)
  }
  const name = validateFolderName(input.name)
  requireFreeName(folders, name)
  const folder: ChannelFolder = {
    id: tx.nextId(),
    name,
    description: input.description,
    rendered_description: await renderFolderDescription(tx, input.description, server),
    order: folders.length,
    date_created: tx.now,
    creator_id: tx.actor.userId,
    is_archived: false,
  }
  const { order: position, ...columns } = folder
  await tx.db
    .insertInto('channel_folders')
    .values({ organization_id: tx.organizationId, name_key: caseKey(name), position, ...columns })
    .execute()
  tx.emit(channelFolderAdded, { channel_folder: folder }, everyone)
  return { channel_folder_id: folder.id }
}

export async function updateChannelFolder(
  tx: ActorTx,
  input: Input<typeof contract.updateChannelFolder>,
  server: ServerFacts,
): Promise<Record<string, never>> {
  requireAdministrator(tx)
  const folders = await foldersOf(tx.db, tx.organizationId)
  const known = folders.find((folder) => folder.id === input.channel_folder_id)
  if (known === undefined) throw new ApiError('BAD_REQUEST', 'Invalid channel folder ID')
  const name = input.name === undefined ? known.name : validateFolderName(input.name)
  const description = input.description ?? known.description
  const is_archived = input.is_archived ?? known.is_archived
  if (is_archived && !known.is_archived && containsChannels(tx, known.id)) {
    throw new ApiError('BAD_REQUEST', 'Remove all channels from the folder to archive it.')
  }
  if (!is_archived) {
    requireFreeName(
      folders.filter((folder) => folder !== known),
      name,
    )
  }
  const data = {
    ...(name === known.name ? {} : { name }),
    ...(description === known.description
      ? {}
      : { description, rendered_description: await renderFolderDescription(tx, description, server) }),
    ...(is_archived === known.is_archived ? {} : { is_archived }),
  }
  if (Object.keys(data).length === 0) return {}
  await tx.db
    .updateTable('channel_folders')
    .set({ ...data, name_key: caseKey(name) })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', known.id)
    .execute()
  tx.emit(channelFolderUpdated, { channel_folder_id: known.id, data }, everyone)
  return {}
}

export async function reorderChannelFolders(
  tx: ActorTx,
  { order }: Input<typeof contract.reorderChannelFolders>,
): Promise<Record<string, never>> {
  requireAdministrator(tx)
  const before = (await foldersOf(tx.db, tx.organizationId)).map((folder) => folder.id)
  if (!isReordering(order, before)) {
    throw new ApiError('BAD_REQUEST', 'The order must list every channel folder exactly once, including archived ones.')
  }
  if (order.every((id, index) => before[index] === id)) return {}
  await tx.db.rows(
    'order_channel_folders',
    `update channel_folders as f set position = wanted.position - 1
     from unnest($2::bigint[]) with ordinality as wanted (id, position)
     where f.organization_id = $1 and f.id = wanted.id`,
    [tx.organizationId, order],
  )
  tx.emit(channelFoldersReordered, { order }, everyone)
  return {}
}

function requireAdministrator(tx: ActorTx): void {
  if (!isAdministrator(tx.actor)) throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator')
}

/** Counts archived channels, too: unarchiving such a channel would put it into a hidden folder. */
function containsChannels(tx: ActorTx, folderId: number): boolean {
  return [...tx.organization.of(channelsProjection).byId.values()].some((channel) => channel.folderId === folderId)
}

function requireFreeName(folders: readonly ChannelFolder[], name: string): void {
  const key = caseKey(name)
  if (folders.some((folder) => !folder.is_archived && caseKey(folder.name) === key)) {
    throw new ApiError('BAD_REQUEST', 'Channel folder name already in use')
  }
}

function validateFolderName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '') throw new ApiError('BAD_REQUEST', "Channel folder name can't be empty.")
  if (!isPrintable(trimmed)) throw new ApiError('BAD_REQUEST', 'Invalid character in channel folder name.')
  return trimmed
}

async function renderFolderDescription(tx: ActorTx, description: string, server: ServerFacts): Promise<string> {
  return renderDescription(description, markdownContextFor(tx.organization, tx.actor, server))
}
