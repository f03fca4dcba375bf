import { signal } from '@preact/signals'

/** Selector of picture links in messages. */
export const LINKS = '.message_inline_image a:has(> img)'

/** The link of the picture in full view. The link regains the focus. */
export const viewing = signal<HTMLAnchorElement | undefined>(undefined)

/** Opens a picture in full view. @returns false if the link is not a picture */
export function view(link: HTMLAnchorElement): boolean {
  if (!link.matches(LINKS)) return false
  viewing.value = link
  return true
}

export function closeViewer(): void {
  viewing.value = undefined
}
