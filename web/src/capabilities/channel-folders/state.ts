import type { channelFolders } from '@parley/server/contract'
import { computed, signal } from '@preact/signals'
import { store } from '../../platform/client.ts'

export type Folder = channelFolders.ChannelFolder

/** Contains copies, because events change folders in place, and components rerender only for new objects. */
const orderedFolders = computed((): readonly Folder[] =>
  store()
    .read('channel_folders')
    .map((folder) => ({ ...folder }))
    .toSorted((one, other) => one.order - other.order),
)

export const activeFolders = computed(() => orderedFolders.value.filter((folder) => !folder.is_archived))

export const archivedFolders = computed(() => orderedFolders.value.filter((folder) => folder.is_archived))

export function folderById(id: number | null): Folder | undefined {
  return activeFolders.value.find((folder) => folder.id === id)
}

export const isFoldersDialogOpen = signal(false)

export function openFoldersDialog(): void {
  isFoldersDialogOpen.value = true
}

export function closeFoldersDialog(): void {
  isFoldersDialogOpen.value = false
}

interface FolderEdit {
  readonly folder?: Folder
  readonly made?: (folderId: number) => void
}

export const editedFolder = signal<FolderEdit | undefined>(undefined)

export function openNewFolder(made?: (folderId: number) => void): void {
  editedFolder.value = made === undefined ? {} : { made }
}
