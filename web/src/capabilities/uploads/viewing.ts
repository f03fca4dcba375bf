import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'

export const PICTURE_LINKS = '.message_inline_image a:has(> img)'

export interface Picture {
  readonly name: string
  /** URL of the file or, for external pictures, of the server's copy. */
  readonly address: string
  readonly linked: string
  readonly message: Message | undefined
}

export interface ViewedImage {
  /** Regains the focus when the view closes. */
  readonly link: HTMLAnchorElement
  /** Pictures to turn through, if they are not those of the message list. */
  readonly listed?: readonly Picture[]
}

export const viewedImage = signal<ViewedImage | undefined>(undefined)

export function viewImage(link: HTMLAnchorElement): boolean {
  if (!link.matches(PICTURE_LINKS)) return false
  viewedImage.value = { link }
  return true
}

export function closeViewer(): void {
  viewedImage.value = undefined
}
