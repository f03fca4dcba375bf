import { effect } from '@preact/signals'
import { conversationOfMessage, type Message } from '../../kernel/message.ts'
import { placeKey } from '../../kernel/route.ts'
import { afterPaint } from '../../platform/dom/painted.ts'
import { go } from '../../platform/router.ts'
import { isFocusWanted } from '../composer/state.ts'
import { openedList } from '../messages/open-list.ts'
import { ownId } from '../users/state.ts'

let stopWaiting = (): void => undefined

/** Opens the message's conversation with the focus on the message. */
export function openInConversation(message: Message): void {
  const place = conversationOfMessage(message, ownId())
  go({ ...place, near: message.id })
  // Otherwise, the composer would take the focus.
  isFocusWanted.value = false
  stopWaiting()
  stopWaiting = effect(() => {
    const { value: list } = openedList
    if (list === undefined || placeKey(list.place) !== placeKey(place) || !list.ids.value.includes(message.id)) return
    stopWaiting()
    afterPaint(() => focusRow(message.id))
  })
}

function focusRow(id: number): void {
  document.querySelector<HTMLElement>(`.list [data-row="${id}"]`)?.focus({ preventScroll: true })
}
