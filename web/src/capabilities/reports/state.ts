import { signal } from '@preact/signals'
import { store } from '../../platform/client.ts'
import { channelById, subscriptionTo, type Channel } from '../channels/state.ts'
import type { Message } from '../../kernel/message.ts'
import { ownId } from '../users/state.ts'

/** The message for which a report is written. */
export const reported = signal<Message | undefined>(undefined)

export function openReport(message: Message): void {
  reported.value = message
}

export function closeReport(): void {
  reported.value = undefined
}

/** Whether a message is of another person. Whether moderators read reports only they know: the server says it then. */
export function mayReport({ sender_id: sender }: Message): boolean {
  return sender !== ownId()
}

/** The channel in which reports are read, where one is chosen and one may know of it. */
export function reportsChannel(): Channel | undefined {
  return channelById(store().read('realm_moderation_request_channel_id'))
}

/** Whether the person reads reports, as those do who are in that channel. */
export function readsReports(): boolean {
  const channel = reportsChannel()
  return channel !== undefined && subscriptionTo(channel.stream_id) !== undefined
}
