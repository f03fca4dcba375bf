import type { channelFolders } from '@parley/server/contract'
import { computed } from '@preact/signals'
import { store } from '../../platform/client.ts'

export type Folder = channelFolders.ChannelFolder

/** Copies, since folds change a folder in place and a component is drawn again only where it is given something else. */
const inOrder = computed((): readonly Folder[] =>
  store()
    .read('channel_folders')
    .map((folder) => ({ ...folder }))
    .toSorted((one, other) => one.order - other.order),
)

/** The folders that are shown, in their order. */
export const activeFolders = computed(() => inOrder.value.filter((folder) => !folder.is_archived))

export const archivedFolders = computed(() => inOrder.value.filter((folder) => folder.is_archived))

/** The folder with an id, if it is shown. */
export function folderById(id: number | null): Folder | undefined {
  return activeFolders.value.find((folder) => folder.id === id)
}
