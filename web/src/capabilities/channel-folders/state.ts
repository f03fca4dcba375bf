import type { channelFolders } from '@parley/server/contract'
import { computed, signal } from '@preact/signals'
import { store } from '../../platform/client.ts'

export type Folder = channelFolders.ChannelFolder

/** Copies, because events change folders in place, and components rerender only for new objects. */
const inOrder = computed((): readonly Folder[] =>
  store()
    .read('channel_folders')
    .map((folder) => ({ ...folder }))
    .toSorted((one, other) => one.order - other.order),
)

export const activeFolders = computed(() => inOrder.value.filter((folder) => !folder.is_archived))

export const archivedFolders = computed(() => inOrder.value.filter((folder) => folder.is_archived))

export function folderById(id: number | null): Folder | undefined {
  return activeFolders.value.find((folder) => folder.id === id)
}

export const areFoldersOpen = signal(false)

export function openFolders(): void {
  areFoldersOpen.value = true
}

export function closeFolders(): void {
  areFoldersOpen.value = false
}

interface FolderEdit {
  readonly folder?: Folder
  readonly made?: (folderId: number) => void
}

export const editing = signal<FolderEdit | undefined>(undefined)

export function makeFolder(made?: (folderId: number) => void): void {
  editing.value = made === undefined ? {} : { made }
}
