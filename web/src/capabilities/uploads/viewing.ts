import { signal } from '@preact/signals'

/** A picture in a conversation. */
export interface Picture {
  readonly name: string
  /** The address of the file itself. */
  readonly address: string
  readonly messageId: number
}

interface Viewing {
  readonly pictures: readonly Picture[]
  readonly index: number
  /** The link that gets the focus back. */
  readonly from: HTMLElement
}

/** The pictures that are looked at, and the one of them that is shown. */
export const viewing = signal<Viewing | undefined>(undefined)

const LINKS = '.message_inline_image a:has(> img)'

/** Opens a picture of a message large. @returns false for a link to something else */
export function view(link: HTMLAnchorElement): boolean {
  if (!link.matches(LINKS)) return false
  const list = link.closest('.list') ?? link.parentElement ?? link
  const links = [...list.querySelectorAll<HTMLAnchorElement>(LINKS)]
  viewing.value = { pictures: links.map(pictureOf), index: Math.max(0, links.indexOf(link)), from: link }
  return true
}

function pictureOf(link: HTMLAnchorElement): Picture {
  const row = link.closest<HTMLElement>('[data-row]')
  return { name: link.title, address: link.href, messageId: Number(row?.dataset['row'] ?? 0) }
}

/** Shows the picture so many further, if there is one. */
export function step(by: number): void {
  const { value } = viewing
  if (value?.pictures[value.index + by] !== undefined) viewing.value = { ...value, index: value.index + by }
}

export function closeViewer(): void {
  viewing.value = undefined
}
