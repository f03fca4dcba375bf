import { call } from '@parley/client'
import { channelFolders, channels } from '@parley/server/contract'
import type { Input } from '@parley/server/kernel/endpoint'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { openMenu, type MenuItem } from '../../platform/overlay/menu.tsx'
import { predictAndSend } from '../../platform/predicted.ts'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { channelById, channelName } from '../channels/state.ts'
import { isAdministrator } from '../users/state.ts'
import { archivedFolders, activeFolders, folderById, openNewFolder, type Folder } from './state.ts'

/* The functions below throw errors, so that the calling form can show them. */

type FolderChange = Omit<Input<typeof channelFolders.updateChannelFolder>, 'channel_folder_id'>

export async function createFolder(given: { readonly name: string; readonly description: string }): Promise<number> {
  return (await call(SESSION, channelFolders.createChannelFolder, given)).channel_folder_id
}

export async function changeFolder({ id }: Folder, changed: FolderChange): Promise<void> {
  await call(SESSION, channelFolders.updateChannelFolder, { channel_folder_id: id, ...changed })
}

export async function archiveFolder(folder: Folder): Promise<void> {
  await changeFolder(folder, { is_archived: true })
  offerUndo(tl().folders.wasArchived(folder.name), async () => changeFolder(folder, { is_archived: false }))
}

export async function reorderFolders(folders: readonly Folder[]): Promise<void> {
  const idsOf = (shown: readonly Folder[]): number[] => [...shown, ...archivedFolders.peek()].map(({ id }) => id)
  const event = (order: number[]) => ({ type: 'channel_folder', op: 'reorder', order })
  const [before, order] = [idsOf(activeFolders.peek()), idsOf(folders)]
  await predictAndSend(event(order), event(before), async () =>
    call(SESSION, channelFolders.reorderChannelFolders, { order }),
  )
}

async function moveChannelToFolder(channelId: number, folderId: number | null): Promise<void> {
  const before = channelById(channelId)?.folder_id ?? null
  const input = { stream_id: channelId }
  if ((await callOrToast(channels.updateChannel, { ...input, folder_id: folderId })) === undefined) return
  const name = channelName(channelId)
  const folder = folderById(folderId)
  offerUndo(folder === undefined ? tl().folders.isInNone(name) : tl().folders.isIn(name, folder.name), async () =>
    call(SESSION, channels.updateChannel, { ...input, folder_id: before }),
  )
}

export function chooseFolder(from: HTMLElement, channelId: number): void {
  const present = folderById(channelById(channelId)?.folder_id ?? null)
  const items: MenuItem[] = activeFolders.value
    .filter(({ id }) => id !== present?.id)
    .map(({ id, name }) => ({
      id: String(id),
      title: name,
      icon: 'folder',
      run: () => void moveChannelToFolder(channelId, id),
    }))
  if (present !== undefined) {
    items.push({
      id: 'none',
      title: tl().channel.noFolder,
      icon: 'close',
      run: () => void moveChannelToFolder(channelId, null),
    })
  }
  if (isAdministrator()) {
    const run = (): void => openNewFolder((id) => void moveChannelToFolder(channelId, id))
    items.push({ id: 'new', title: tl().folders.create, icon: 'plus', beginsGroup: items.length > 0, run })
  }
  openMenu(from, t().folders.put, items)
}
