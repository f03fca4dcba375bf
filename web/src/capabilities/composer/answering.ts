import { conversationOfMessage, type Message } from '../../kernel/message.ts'
import { messages } from '../../platform/client.ts'
import { afterPaint } from '../../platform/dom/painted.ts'
import { drawnRoute, go } from '../../platform/router.ts'
import { opensAsFeed } from '../channels/views.ts'
import { isInView, openedList } from '../messages/open-list.ts'
import { focusedId } from '../messages/read-tracker.ts'
import { ownId } from '../users/state.ts'
import { openComposer, closeComposer, focusComposer } from './state.ts'

export function isFeedShown(): boolean {
  const route = drawnRoute()
  const isChannel = route.view === 'channel'
  return route.view === 'feed' || route.view === 'channel-feed' || (isChannel && opensAsFeed(route.channelId))
}

/** Returns the focused message if it is in view, and otherwise the topmost message in view. */
export function messageToAnswer(): Message | undefined {
  const topmost = openedList.value?.topmost.value
  const row = document.querySelector<HTMLElement>(`.list [data-row="${focusedId.value ?? 0}"]`)
  const id = row !== null && isInView(row) ? focusedId.value : topmost
  return messages.get(id ?? 0)?.value
}

export function replyBelowList(message: Message): void {
  const place = conversationOfMessage(message, ownId())
  openedList.value?.keep(message.id)
  openComposer(place)
  focusComposer()
}

/** Closes the reply, and focuses the message that it answered. */
export function closeReply(): void {
  closeComposer()
  document.querySelector<HTMLElement>(`.list [data-row="${focusedId.value ?? 0}"]`)?.focus({ preventScroll: true })
}

export function replyInConversation(message: Message): void {
  closeComposer()
  go({ ...conversationOfMessage(message, ownId()), near: message.id })
  afterPaint(focusComposer)
}
