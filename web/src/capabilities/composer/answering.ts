import { conversationOfMessage, type Message } from '../../kernel/message.ts'
import { messages } from '../../platform/client.ts'
import { afterPaint } from '../../platform/dom/painted.ts'
import { drawnRoute, go } from '../../platform/router.ts'
import { openList } from '../messages/open-list.ts'
import { focused } from '../messages/read-tracker.ts'
import { ownId } from '../users/state.ts'
import { openComposer, currentComposition, closeComposer, focusComposer } from './state.ts'

/** Whether the view lists single messages; replies then open below the list. */
export function isFound(): boolean {
  return ['mentions', 'starred', 'reactions', 'search'].includes(drawnRoute().view)
}

export function isFeed(): boolean {
  const { view } = drawnRoute()
  return view === 'feed' || view === 'channel-feed'
}

export function messageToAnswer(): Message | undefined {
  const ids = openList.value?.ids.value ?? []
  const id = ids.find((one) => one === focused.value) ?? ids.at(-1)
  return id === undefined ? undefined : messages.get(id)?.value
}

export function answerHere(message: Message): void {
  const place = conversationOfMessage(message, ownId())
  openList.value?.keep(message.id)
  // A text started for another conversation remains that conversation's draft.
  if (currentComposition.value === undefined) openComposer(place)
  else currentComposition.value.destination.value = place
  focusComposer()
}

/** Focuses the message that the closed reply answered. */
export function closeReply(): void {
  closeComposer()
  document.querySelector<HTMLElement>(`.list [data-row="${focused.value ?? 0}"]`)?.focus({ preventScroll: true })
}

export function replyToMessage(message: Message): void {
  closeComposer()
  go({ ...conversationOfMessage(message, ownId()), near: message.id })
  afterPaint(focusComposer)
}
