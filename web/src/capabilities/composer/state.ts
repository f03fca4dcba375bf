import { signal } from '@preact/signals'
import { conversationAt, destinationKey, destinationOfView, type Destination } from '../../kernel/destination.ts'
import type { Conversation } from '../../kernel/route.ts'
import { afterPaint } from '../../platform/dom/painted.ts'
import { drawn, go } from '../../platform/router.ts'
import { draftText, replaceDraft, saveDrafts } from '../drafts/state.ts'
import type { Writing } from './writing.ts'

/** What is written on the screen; undefined where there is nothing to write in. */
export const current = signal<Writing | undefined>(undefined)

/** Where a message goes that is begun in a view which is no conversation; undefined while none is. */
export const begun = signal<Destination | undefined>(undefined)

/** What another part of the client wants to have written: a quotation, a mention. */
export const inserted = signal<{ readonly place: Conversation; readonly text: string } | undefined>(undefined)

/** Where the view on the screen has one write; undefined where one chooses. */
export function homeDestination(): Destination | undefined {
  const route = drawn()
  return route.view === 'not-found' ? undefined : destinationOfView(route)
}

/** The conversation on the screen. */
export function conversationOnScreen(): Conversation | undefined {
  const home = current.value?.home
  return home === undefined ? undefined : conversationAt(home)
}

/** Where what is written goes, if that is not what is on the screen. */
export function elsewhere({ conversation, home }: Writing): Conversation | undefined {
  if (conversation === undefined) return undefined
  return home !== undefined && destinationKey(home) === destinationKey(conversation) ? undefined : conversation
}

/** Begins a message, wherever one is; what is written already goes to the new destination. */
export function begin(destination: Destination): void {
  if (current.value === undefined) begun.value = destination
  else current.value.redirect(destination)
}

/** Ends a message that was begun in a view which is no conversation; its draft stays. */
export function end(): void {
  begun.value = undefined
}

/** Makes a text that was not sent the draft of its conversation, below what was begun there since. */
export function bringBack(place: Conversation, text: string): void {
  const since = draftText(place)
  replaceDraft(place, since.trim() === '' ? text : `${since.trimEnd()}\n\n${text}`)
  saveDrafts()
}

/** Brings a text back, and goes on with it where it is written; what was begun for elsewhere there stays a draft. */
export function writeOn(place: Conversation, text: string): void {
  bringBack(place, text)
  const { value: writing } = current
  if (writing?.home !== undefined && destinationKey(writing.home) === destinationKey(place))
    writing.destination.value = place
  go(place)
  afterPaint(focusComposer)
}

/** Puts a text into the composer of a conversation and the caret behind it. */
export function writeInto(place: Conversation, text: string): void {
  inserted.value = { place, text }
}

/** Takes what is to be written in a conversation. */
export function takeInserted(destination: Destination): string | undefined {
  const { value } = inserted
  const conversation = conversationAt(destination)
  if (value === undefined || conversation === undefined) return undefined
  if (destinationKey(value.place) !== destinationKey(conversation)) return undefined
  inserted.value = undefined
  return value.text
}

let isFocusWanted = false

/** Puts the caret into the composer, which may only just come up. */
export function focusComposer(): void {
  isFocusWanted = current.value === undefined
  current.value?.field?.focus()
}

/** Whether the composer that comes up gets the caret. */
export function takeFocusWish(): boolean {
  const wasWanted = isFocusWanted
  isFocusWanted = false
  return wasWanted
}
