import { signal } from '@preact/signals'
import type { Folder } from './state.ts'

/** Whether the folders are being arranged. */
export const areFoldersOpen = signal(false)

export function openFolders(): void {
  areFoldersOpen.value = true
}

export function closeFolders(): void {
  areFoldersOpen.value = false
}

interface Editing {
  /** Undefined for one that is being made. */
  readonly folder?: Folder
  /** Is given the id of the one that was made. */
  readonly made?: (folderId: number) => void
}

/** The folder that is being made or edited. */
export const editing = signal<Editing | undefined>(undefined)

export function makeFolder(made?: (folderId: number) => void): void {
  editing.value = made === undefined ? {} : { made }
}
