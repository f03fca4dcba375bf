import { signal } from '@preact/signals'
import type { Folder } from './state.ts'

export const areFoldersOpen = signal(false)

export function openFolders(): void {
  areFoldersOpen.value = true
}

export function closeFolders(): void {
  areFoldersOpen.value = false
}

interface FolderEdit {
  /** Undefined for a new folder. */
  readonly folder?: Folder
  /** Called with the new folder's ID. */
  readonly made?: (folderId: number) => void
}

export const editing = signal<FolderEdit | undefined>(undefined)

export function makeFolder(made?: (folderId: number) => void): void {
  editing.value = made === undefined ? {} : { made }
}
