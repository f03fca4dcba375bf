import type { Capability } from '../../kernel/capability.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { lazily, withPart } from '../../platform/dom/lazy.tsx'
import { mayAdminister } from '../channels/rights.ts'
import { channelById } from '../channels/state.ts'
import { isAdministrator } from '../users/state.ts'
import { isFoldersDialogOpen, editedFolder, openFoldersDialog, activeFolders } from './state.ts'

const FoldersDialog = lazily(
  async () => (await import('./parts/folders-dialog.tsx')).FoldersDialog,
  () => null,
)
const FolderDialog = lazily(
  async () => (await import('./parts/folders-dialog.tsx')).FolderDialog,
  () => null,
)

function mayChooseFolder(place: Place): boolean {
  const channel = place.view === 'channel-feed' ? channelById(place.channelId) : undefined
  return channel !== undefined && mayAdminister(channel) && (isAdministrator() || activeFolders.value.length > 0)
}

export const channelFolders: Capability = {
  name: 'channel-folders',
  commands: [
    {
      id: 'channelFolders.open',
      title: () => t().folders.title,
      icon: 'folder',
      when: isAdministrator,
      run: openFoldersDialog,
    },
  ],
  placeActions: [
    {
      id: 'channelFolders.put',
      title: () => t().folders.put,
      icon: 'folder',
      when: mayChooseFolder,
      run: (place, from) => {
        if (place.view !== 'channel-feed') return
        void withPart(import('./actions.ts'), ({ chooseFolder }) => chooseFolder(from, place.channelId))
      },
    },
  ],
  overlays: [
    () => (isFoldersDialogOpen.value ? <FoldersDialog /> : null),
    () => (editedFolder.value === undefined ? null : <FolderDialog />),
  ],
}
