import { conversationOfMessage, type Message } from '../../kernel/message.ts'
import { messages } from '../../platform/client.ts'
import { go, shown } from '../../platform/router.ts'
import { openList } from '../messages/open-list.ts'
import { focused } from '../messages/reading.ts'
import { ownId } from '../users/state.ts'
import { end, focusComposer } from './state.ts'

/** Whether the view on the screen has messages of many conversations one after the other, as they were written. */
export function isFeed(): boolean {
  const { view } = shown()
  return view === 'feed' || view === 'channel-feed'
}

/** Of a feed on the screen the message that one answers: the one that has the focus or had it last, or else the newest. */
export function answered(): Message | undefined {
  const ids = openList.value?.ids.value ?? []
  const id = ids.find((one) => one === focused.value) ?? ids.at(-1)
  return id === undefined ? undefined : messages.get(id)?.value
}

/** Opens the conversation of a message at it, and has one write there: what is written goes where one sees it. */
export function answer(message: Message): void {
  end()
  go({ ...conversationOfMessage(message, ownId()), near: message.id })
  // Its composer is there with the next frame.
  requestAnimationFrame(focusComposer)
}
