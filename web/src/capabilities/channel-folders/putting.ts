import { t } from '../../kernel/strings.ts'
import { openMenu, type MenuItem } from '../../platform/overlay/menu.tsx'
import { channelById } from '../channels/state.ts'
import { isAdministrator } from '../users/state.ts'
import { putIntoFolder } from './actions.ts'
import { makeFolder } from './open.ts'
import { activeFolders, folderById } from './state.ts'

export function chooseFolder(from: HTMLElement, channelId: number): void {
  const present = folderById(channelById(channelId)?.folder_id ?? null)
  const items: MenuItem[] = activeFolders.value
    .filter(({ id }) => id !== present?.id)
    .map(({ id, name }) => ({
      id: String(id),
      title: name,
      icon: 'folder',
      run: () => void putIntoFolder(channelId, id),
    }))
  if (present !== undefined) {
    items.push({
      id: 'none',
      title: t().channel.noFolder,
      icon: 'close',
      run: () => void putIntoFolder(channelId, null),
    })
  }
  if (isAdministrator()) {
    const run = (): void => makeFolder((id) => void putIntoFolder(channelId, id))
    items.push({ id: 'new', title: t().folders.create, icon: 'plus', beginsGroup: items.length > 0, run })
  }
  openMenu(from, t().folders.put, items)
}
