import { signal } from '@preact/signals'

export type ChannelTab = 'own' | 'people' | 'channel' | 'permissions'

/** The channel whose settings are open, and the part that is shown first. */
export const openSettings = signal<{ readonly channelId: number; readonly tab: ChannelTab } | undefined>(undefined)

/** Opens what can be chosen for a channel. */
export function openChannel(channelId: number, tab: ChannelTab): void {
  openSettings.value = { channelId, tab }
}

export function closeChannel(): void {
  openSettings.value = undefined
}

/** Whether a channel is being made. */
export const isMaking = signal(false)

export function makeChannel(): void {
  isMaking.value = true
}
