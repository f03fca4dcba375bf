import { signal } from '@preact/signals'

export type ChannelTab = 'own' | 'people' | 'channel' | 'permissions'

export const openSettings = signal<{ readonly channelId: number; readonly tab: ChannelTab } | undefined>(undefined)

export function openChannel(channelId: number, tab: ChannelTab): void {
  openSettings.value = { channelId, tab }
}

export function closeChannel(): void {
  openSettings.value = undefined
}

export const isMaking = signal(false)

export function makeChannel(): void {
  isMaking.value = true
}
