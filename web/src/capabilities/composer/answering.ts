import { conversationOfMessage, type Message } from '../../kernel/message.ts'
import { messages } from '../../platform/client.ts'
import { afterPaint } from '../../platform/dom/painted.ts'
import { drawn, go } from '../../platform/router.ts'
import { openList } from '../messages/open-list.ts'
import { focused } from '../messages/reading.ts'
import { ownId } from '../users/state.ts'
import { begin, current, end, focusComposer } from './state.ts'

/** Whether the view on the screen has single messages that were found somewhere: one answers them without leaving it. */
export function isFound(): boolean {
  return ['mentions', 'starred', 'reactions', 'search'].includes(drawn().view)
}

/** Whether the view on the screen has messages of many conversations one after the other, as they were written. */
export function isFeed(): boolean {
  const { view } = drawn()
  return view === 'feed' || view === 'channel-feed'
}

/** Of a list of messages on the screen the one that one answers: the one that has the focus or had it last, or else the newest. */
export function answered(): Message | undefined {
  const ids = openList.value?.ids.value ?? []
  const id = ids.find((one) => one === focused.value) ?? ids.at(-1)
  return id === undefined ? undefined : messages.get(id)?.value
}

/** Has one answer a message below the list in which it stands. */
export function answerHere(message: Message): void {
  const place = conversationOfMessage(message, ownId())
  openList.value?.keep(message.id)
  // What was begun for another conversation stays a draft of that.
  if (current.value === undefined) begin(place)
  else current.value.destination.value = place
  focusComposer()
}

/** Ends a message that was begun in a view which is no conversation, and goes back to what was answered there. */
export function close(): void {
  end()
  document.querySelector<HTMLElement>(`.list [data-row="${focused.value ?? 0}"]`)?.focus({ preventScroll: true })
}

/** Opens the conversation of a message at it, and has one write there: what is written goes where one sees it. */
export function answer(message: Message): void {
  end()
  go({ ...conversationOfMessage(message, ownId()), near: message.id })
  afterPaint(focusComposer)
}
