import { effect, signal, untracked } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { conversationAt, destinationKey, type Destination } from '../../kernel/destination.ts'
import { conversationOf, placeKey, type Conversation } from '../../kernel/route.ts'
import { afterPaint } from '../../platform/dom/painted.ts'
import { isNarrow, openRegion, openedRegion } from '../../platform/frame.ts'
import { serverSetting } from '../../platform/preferences.ts'
import { wasShortcut } from '../../platform/keys/keys.ts'
import { navigationCount, drawnRoute, go } from '../../platform/router.ts'
import { opensAsFeed } from '../channels/views.ts'
import { draftText, replaceDraft, saveDrafts } from '../drafts/state.ts'
import { initialTopic } from './rights.ts'
import type { Composition } from './composition.ts'

export const currentComposition = signal<Composition | undefined>(undefined)

export const startedDestination = signal<Destination | undefined>(undefined)

/** Quote or mention that another part of the client wants the composer to insert. */
export const requestedInsertion = signal<{ readonly place: Conversation; readonly text: string } | undefined>(undefined)

export function homeDestination(): Destination | undefined {
  const route = drawnRoute()
  if (route.view === 'channel' && !opensAsFeed(route.channelId))
    return { ...route, view: 'topic', topic: initialTopic(route.channelId) }
  if (route.view === 'new-dm') return { view: 'direct', userIds: [] }
  return route.view === 'not-found' ? undefined : conversationOf(route)
}

/** Whether the text is a DM whose recipients are still to be chosen. */
export function hasNoRecipients(destination: Destination | undefined): boolean {
  return destination?.view === 'direct' && destination.userIds.length === 0
}

export function conversationOnScreen(): Conversation | undefined {
  const home = currentComposition.value?.home
  return home === undefined ? undefined : conversationAt(home)
}

export function otherDestination({ conversation, home }: Composition): Conversation | undefined {
  if (conversation === undefined) return undefined
  const own = home && conversationAt(home)
  return own && placeKey(own) === placeKey(conversation) ? undefined : conversation
}

let isForNew = false

/** Whether the text was started as a new topic, which opens after sending. */
export function startsConversation(): boolean {
  return isForNew
}

/** Text already typed for another conversation stays as that conversation's draft. */
export function openComposer(destination: Destination, isNew = false): void {
  isForNew = isNew
  if (currentComposition.value === undefined) startedDestination.value = destination
  else currentComposition.value.destination.value = destination
}

/** Closes the composer; its text stays as a draft. */
export function closeComposer(): void {
  isForNew = false
  startedDestination.value = undefined
}

/** Appends unsent text to the draft that was written in the meantime. */
export function restoreUnsentText(place: Conversation, text: string): void {
  const since = draftText(place)
  // The unsent text comes last, so that the caret stays in the text being written.
  replaceDraft(place, since.trim() === '' ? text : `${since}\n\n${text}`)
  void saveDrafts()
}

/** Opens the conversation with the text as its draft. An open draft for another destination stays there. */
export function continueDraft(place: Conversation, text: string): void {
  restoreUnsentText(place, text)
  const { value: writing } = currentComposition
  if (writing?.home !== undefined && destinationKey(writing.home) === destinationKey(place))
    writing.destination.value = place
  go(place)
  afterPaint(focusComposer)
}

export function writeInto(place: Conversation, text: string): void {
  const { value: writing } = currentComposition
  if (writing !== undefined && destinationKey(writing.destination.value) === destinationKey(place))
    writing.insertRequested(text)
  else requestedInsertion.value = { place, text }
}

export function takeInsertion(destination: Destination): string | undefined {
  const { value } = requestedInsertion
  const conversation = conversationAt(destination)
  if (value === undefined || conversation === undefined) return undefined
  if (destinationKey(value.place) !== destinationKey(conversation)) return undefined
  requestedInsertion.value = undefined
  return value.text
}

/** Button beside a selected part of a message. */
export const offeredQuote = signal<{ readonly messageId: number; readonly button: ComponentChildren } | undefined>(
  undefined,
)

export const isFocusWanted = signal(false)

/** If no composer is rendered, the next composer takes the focus. */
export function focusComposer(): void {
  isFocusWanted.value = openedRegion.peek() !== 'main' || currentComposition.value === undefined
  openRegion('main')
  currentComposition.value?.field?.focus()
}

const touchScreenQuery = window.matchMedia('(pointer: coarse)')

/** Puts the caret into the composer of a conversation or channel that opens. */
export function focusComposerOnArrival(): void {
  effect(() => {
    void navigationCount.value
    const isWritable = untracked(homeDestination) !== undefined
    // Takes no focus on touch screens (a keyboard would open), in narrow views (they would shift), or after a shortcut.
    isFocusWanted.value = isWritable && !touchScreenQuery.matches && !isNarrow.peek() && !wasShortcut()
  })
}

export function takeFocusRequest(): boolean {
  const { value: wasWanted } = isFocusWanted
  isFocusWanted.value = false
  return wasWanted
}

/** Whether Enter sends on a physical keyboard. A touch screen's keyboard has no Shift+Enter for new lines. */
export const enterSends = serverSetting('enter_sends', true)

export function isSendKey({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !altKey && (ctrlKey || metaKey || sendsOnEnter())
}

export function sendsOnEnter(): boolean {
  return enterSends.read() && !touchScreenQuery.matches
}
