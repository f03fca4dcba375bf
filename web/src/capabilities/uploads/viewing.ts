import { signal } from '@preact/signals'

/** Links to pictures, in messages. */
export const LINKS = '.message_inline_image a:has(> img)'

/** The link of the picture that was opened large, which gets the focus back. */
export const viewing = signal<HTMLAnchorElement | undefined>(undefined)

/** Opens a picture of a message large. @returns false for a link to something else */
export function view(link: HTMLAnchorElement): boolean {
  if (!link.matches(LINKS)) return false
  viewing.value = link
  return true
}

export function closeViewer(): void {
  viewing.value = undefined
}
