import { signal } from '@preact/signals'
import { conversationAt, destinationKey, destinationOfView, type Destination } from '../../kernel/destination.ts'
import type { Conversation } from '../../kernel/route.ts'
import { afterPaint } from '../../platform/dom/painted.ts'
import { serverSetting } from '../../platform/preferences.ts'
import { drawnRoute, go } from '../../platform/router.ts'
import { draftText, replaceDraft, saveDrafts } from '../drafts/state.ts'
import type { Composition } from './composition.ts'

/** The composer on the screen, if any. */
export const current = signal<Composition | undefined>(undefined)

/** Destination of a message started in a view that is not a conversation, if any. */
export const begun = signal<Destination | undefined>(undefined)

/** A quote or mention that another part of the client asked to insert. */
export const inserted = signal<{ readonly place: Conversation; readonly text: string } | undefined>(undefined)

/** The destination of the current view; undefined in views where the user chooses one. */
export function homeDestination(): Destination | undefined {
  const route = drawnRoute()
  return route.view === 'not-found' ? undefined : destinationOfView(route)
}

export function conversationOnScreen(): Conversation | undefined {
  const home = current.value?.home
  return home === undefined ? undefined : conversationAt(home)
}

/** The message's destination if it is not the view on the screen. */
export function otherDestination({ conversation, home }: Composition): Conversation | undefined {
  if (conversation === undefined) return undefined
  return home !== undefined && destinationKey(home) === destinationKey(conversation) ? undefined : conversation
}

/** Starts a message in any view. Moves text that was already written to the new destination. */
export function begin(destination: Destination): void {
  if (current.value === undefined) begun.value = destination
  else current.value.redirect(destination)
}

/** Closes a message that was started in a view that is not a conversation. Its draft remains. */
export function end(): void {
  begun.value = undefined
}

/** Returns an unsent text to the draft of its conversation, below text written since. */
export function bringBack(place: Conversation, text: string): void {
  const since = draftText(place)
  replaceDraft(place, since.trim() === '' ? text : `${since.trimEnd()}\n\n${text}`)
  saveDrafts()
}

/**
 * Returns a text to its draft and opens the conversation. A text with another destination remains a draft of that
 * destination.
 */
export function writeOn(place: Conversation, text: string): void {
  bringBack(place, text)
  const { value: writing } = current
  if (writing?.home !== undefined && destinationKey(writing.home) === destinationKey(place))
    writing.destination.value = place
  go(place)
  afterPaint(focusComposer)
}

/** Inserts a text into a conversation's composer, with the caret after it. */
export function writeInto(place: Conversation, text: string): void {
  inserted.value = { place, text }
}

/** Consumes the text to insert, if it is for this destination. */
export function takeInserted(destination: Destination): string | undefined {
  const { value } = inserted
  const conversation = conversationAt(destination)
  if (value === undefined || conversation === undefined) return undefined
  if (destinationKey(value.place) !== destinationKey(conversation)) return undefined
  inserted.value = undefined
  return value.text
}

let isFocusWanted = false

/** Focuses the composer, or the next one to be rendered. */
export function focusComposer(): void {
  isFocusWanted = current.value === undefined
  current.value?.field?.focus()
}

/** Consumes the request to focus the next composer. */
export function takeFocusWish(): boolean {
  const wasWanted = isFocusWanted
  isFocusWanted = false
  return wasWanted
}

/** Whether Enter sends a message; Ctrl+Enter always does. */
export const enterSends = serverSetting('enter_sends', true)

export function isSendKey({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !altKey && (ctrlKey || metaKey || enterSends.read())
}
