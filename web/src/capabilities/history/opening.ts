import { effect } from '@preact/signals'
import { conversationOfMessage, type Message } from '../../kernel/message.ts'
import { isPlace, placeKey } from '../../kernel/route.ts'
import { afterPaint } from '../../platform/dom/painted.ts'
import { navigationCount, go, shownRoute, type ShownRoute } from '../../platform/router.ts'
import { isFocusWanted } from '../composer/state.ts'
import { openedList } from '../messages/open-list.ts'
import { ownId } from '../users/state.ts'

let stopWaiting = (): void => undefined

/** Opens the message's conversation with the focus on the message. */
export function openInConversation(message: Message): void {
  const place = conversationOfMessage(message, ownId())
  const before = navigationCount.peek()
  let hasArrived = false
  stopWaiting()
  go({ ...place, near: message.id })
  stopWaiting = effect(() => {
    const route = shownRoute()
    if (navigationCount.value === before) return
    // Prevents the composer from taking the focus.
    if (!hasArrived) isFocusWanted.value = false
    hasArrived = true
    const { value: list } = openedList
    const isIn = (shown: ShownRoute): boolean =>
      shown.view !== 'not-found' && isPlace(shown) && placeKey(shown) === placeKey(place)
    const isListed = list !== undefined && isIn(list.place) && list.ids.value.includes(message.id)
    if (isIn(route) && !isListed) return
    // The first run can end the wait before `effect` has returned.
    queueMicrotask(() => stopWaiting())
    if (isIn(route)) afterPaint(() => focusRow(message.id))
  })
}

function focusRow(id: number): void {
  const { activeElement: focused } = document
  if (focused instanceof HTMLTextAreaElement && focused.value !== '') return
  document.querySelector<HTMLElement>(`.list [data-row="${id}"]`)?.focus({ preventScroll: true })
}
