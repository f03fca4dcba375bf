import { signal } from '@preact/signals'

export const PICTURE_LINKS = '.message_inline_image a:has(> img)'

/** Link of the picture in full view, which regains the focus when that view closes. */
export const viewedImage = signal<HTMLAnchorElement | undefined>(undefined)

export function viewImage(link: HTMLAnchorElement): boolean {
  if (!link.matches(PICTURE_LINKS)) return false
  viewedImage.value = link
  return true
}

export function closeViewer(): void {
  viewedImage.value = undefined
}
