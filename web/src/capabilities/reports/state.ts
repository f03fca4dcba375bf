import { signal } from '@preact/signals'
import { store } from '../../platform/client.ts'
import { channelById, subscriptionTo, type Channel } from '../channels/state.ts'
import type { Message } from '../../kernel/message.ts'
import { ownId } from '../users/state.ts'

export const reportedMessage = signal<Message | undefined>(undefined)

export function openReport(message: Message): void {
  reportedMessage.value = message
}

export function closeReport(): void {
  reportedMessage.value = undefined
}

/** Cannot check whether reports are enabled, which only the server knows. */
export function mayReport({ sender_id: sender }: Message): boolean {
  return sender !== ownId()
}

export function reportsChannel(): Channel | undefined {
  return channelById(store().read('realm_moderation_request_channel_id'))
}

export function readsReports(): boolean {
  const channel = reportsChannel()
  return channel !== undefined && subscriptionTo(channel.stream_id) !== undefined
}
