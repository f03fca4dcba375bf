import { signal } from '@preact/signals'

/** Picture links in messages. */
export const LINKS = '.message_inline_image a:has(> img)'

/** Regains the focus. */
export const viewing = signal<HTMLAnchorElement | undefined>(undefined)

/** @returns false if the link is not a picture */
export function view(link: HTMLAnchorElement): boolean {
  if (!link.matches(LINKS)) return false
  viewing.value = link
  return true
}

export function closeViewer(): void {
  viewing.value = undefined
}
