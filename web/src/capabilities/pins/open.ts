import { signal } from '@preact/signals'
import type { ChannelLink } from './state.ts'

export interface LinkRequest {
  readonly channelId: number
  /** Undefined for a new link. */
  readonly link: ChannelLink | undefined
}

export const openedLink = signal<LinkRequest | undefined>(undefined)
/** Channel whose links are edited. */
export const openedLinkList = signal<number | undefined>(undefined)

export function openNewLink(channelId: number): void {
  openedLink.value = { channelId, link: undefined }
}

export function editLinks(channelId: number): void {
  openedLinkList.value = channelId
}
