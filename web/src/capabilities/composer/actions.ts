import { signal } from '@preact/signals'
import { destinationKey, type Destination } from '../../kernel/destination.ts'
import { tl } from '../../kernel/later-texts.ts'
import { conversationOfMessage, type Message } from '../../kernel/message.ts'
import { placeKey, type Conversation } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { store, messages } from '../../platform/client.ts'
import { afterPaint } from '../../platform/dom/painted.ts'
import { openRegion, openedRegion } from '../../platform/frame.ts'
import { isWriting } from '../../platform/keys/keys.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { drawnRoute, go, hrefOf, viewNumber } from '../../platform/router.ts'
import { shownChannelId, opensAsFeed } from '../channels/views.ts'
import { openClips } from '../clips/state.ts'
import { draftText, replaceDraft } from '../drafts/state.ts'
import { isInView, openedList } from '../messages/open-list.ts'
import { sendMessage } from '../messages/outbox.ts'
import { focusedMessageId } from '../messages/read-tracker.ts'
import { placeName } from '../places/title.tsx'
import { stopTyping } from '../typing/state.ts'
import { removePlaceholders } from '../uploads/state.ts'
import { ownId, userName } from '../users/state.ts'
import type { AddressedText } from './composed-text.ts'
import type { Composition } from './composition.ts'
import { heldPlace, initialTopic, mayWriteIn } from './rights.ts'
import {
  openComposer,
  conversationOnScreen,
  currentComposition,
  otherDestination,
  closeComposer,
  focusComposer,
  homeDestination,
  writeInto,
  isFocusWanted,
  startsConversation,
} from './state.ts'

export function excessCharacters(text: string): number {
  return text.length - store().read('max_message_length')
}

/** Whether the user can send the message. If files are uploading, the message waits for them. */
export function canSend({ conversation, text: { value: text }, content, isUploading }: Composition): boolean {
  if (conversation === undefined || !mayWriteIn(conversation)) return false
  if (heldPlace.value === placeKey(conversation)) return false
  return (isUploading || removePlaceholders(text).trim() !== '') && excessCharacters(content) <= 0
}

/**
 * Sends the message. A conversation out of view opens if it is a new topic; otherwise, a toast offers to open it.
 * @returns false if nothing is or will be sent
 */
export function sendComposition(writing: Composition, view = viewNumber()): boolean {
  const { conversation, insertion } = writing
  if (insertion !== undefined) {
    void insertion.then(() => sendComposition(writing, view))
    return true
  }
  if (conversation === undefined) {
    askForDestination(writing)
    return false
  }
  unaddressed.value = undefined
  if (openClips.value.get(writing.key)?.hasRecording === true) {
    toast(tl().clips.isOpen)
    return false
  }
  if (!canSend(writing)) return false
  if (writing.isUploading) {
    writing.queue(() => sendQueued(conversation, (shown) => sendComposition(shown, view), sendToOtherConversation))
    return true
  }
  const away = otherDestination(writing)
  const opens = view === viewNumber() && opensAfterSending(conversation, writing.home)
  sendMessage(conversation, removePlaceholders(writing.content))
  resetComposer(writing)
  if (away !== undefined) {
    if (opens) go(away)
    else offerSentConversation(away)
  }
  return true
}

/** Whether to open a new conversation or a DM with added people after sending: not while writing elsewhere. */
function opensAfterSending({ view }: Conversation, home: Destination | undefined): boolean {
  const { activeElement } = document
  const isElsewhere = isWriting(activeElement) && activeElement?.closest('.composer') === null
  return !isElsewhere && (startsConversation() || (view === 'direct' ? home?.view === 'direct' : isInTopicList()))
}

function isInTopicList(): boolean {
  return drawnRoute().view === 'channel' && !isFeedShown()
}

/** @param sendText sends the draft of a conversation that no composer shows */
export function sendQueued(
  conversation: Conversation,
  sendShown: (writing: Composition) => void,
  sendText: (conversation: Conversation, text: string) => void,
): void {
  const { value: writing } = currentComposition
  if (writing !== undefined && destinationKey(writing.destination.value) === destinationKey(conversation))
    return sendShown(writing)
  const text = removePlaceholders(draftText(conversation))
  replaceDraft(conversation, '')
  sendText(conversation, text)
}

function sendToOtherConversation(place: Conversation, text: string): void {
  sendMessage(place, text)
  offerSentConversation(place)
}

export function offerSentConversation(place: Conversation): void {
  toast(t().composer.sentTo(placeName(place)), { title: t().composer.goThere, run: () => go(place) })
}

/** Resets the composer to the view's own conversation, or closes it if the view has none. */
export function resetComposer(writing: Composition): void {
  stopTyping()
  writing.clear()
  if (writing.home === undefined) closeReply()
  else writing.redirect(writing.home)
}

/** Opens the destination of the composer's message, with the text as its draft. */
export function goToDestination(): void {
  const away = currentComposition.value === undefined ? undefined : otherDestination(currentComposition.value)
  if (away === undefined) return
  closeComposer()
  // From the view of a new DM, which Back would show empty.
  go(away, { replace: drawnRoute().view === 'new-dm' })
  isFocusWanted.value = true
}

export function startReply(message: Message): void {
  if (isFeedShown()) return replyInConversation(message)
  if (conversationOnScreen() === undefined) return replyBelowList(message)
  openComposer(conversationOfMessage(message, ownId()))
  focusComposer()
}

export function replyInDirectMessage(message: Message): void {
  openComposer({ view: 'direct', userIds: [message.sender_id] })
  focusComposer()
}

/** Replies to the current message in a list of several conversations; elsewhere, focuses the composer. */
export function replyToCurrentMessage(): void {
  const message = currentComposition.value === undefined ? messageToAnswer() : undefined
  if (message === undefined) focusComposer()
  else startReply(message)
}

export function startTopic(): void {
  const channelId = channelOnScreen()
  openComposer({ view: 'topic', channelId, topic: channelId === undefined ? undefined : initialTopic(channelId) }, true)
  focusPart(channelId === undefined ? 'channel' : 'topic')
}

function channelOnScreen(): number | undefined {
  const home = currentComposition.value?.destination.value ?? homeDestination()
  if (home?.view === 'topic') return home.channelId
  return home === undefined ? shownChannelId() : undefined
}

export function startDirectMessage(): void {
  go({ view: 'new-dm' })
  // Comes after the view, which takes no focus on touch screens and after shortcuts.
  afterPaint(() => {
    isFocusWanted.value = true
  })
}

export function mentionUser(userId: number): void {
  const place = conversationOnScreen()
  if (place === undefined) return
  writeInto(place, `@**${userName(userId)}|${userId}** `)
  focusComposer()
}

export function linkTo(message: Message): string {
  return window.location.origin + hrefOf({ ...conversationOfMessage(message, ownId()), near: message.id })
}

/** Text that the person tried to send without a destination. */
const unaddressed = signal<AddressedText>()

/** Focuses the missing part of the destination, beside which a note says what to do. */
export function askForDestination(writing: AddressedText): void {
  const { value: destination } = writing.destination
  unaddressed.value = writing
  if (destination.view === 'direct') focusPart('people')
  else focusPart(destination.channelId === undefined ? 'channel' : 'topic')
}

export function isDestinationMissing(writing: AddressedText): boolean {
  return unaddressed.value === writing && writing.conversation === undefined
}

export function focusPart(part: 'channel' | 'topic' | 'people'): void {
  const fieldOf = () =>
    document.querySelector<HTMLElement>(
      `:is(body:not(:has(dialog[open])), dialog[open]) [data-destination="${part}"] input`,
    )
  const field = fieldOf()
  const isHidden = openedRegion.peek() !== 'main'
  openRegion('main')
  if (field === null || isHidden) requestAnimationFrame(() => fieldOf()?.focus())
  else field.focus()
}

export function isFeedShown(): boolean {
  const route = drawnRoute()
  const isChannel = route.view === 'channel'
  return route.view === 'feed' || route.view === 'channel-feed' || (isChannel && opensAsFeed(route.channelId))
}

/** Returns the focused message if it is in view, and otherwise the topmost message in view. */
export function messageToAnswer(): Message | undefined {
  const topmost = openedList.value?.topmost.value
  const row = document.querySelector<HTMLElement>(`.list [data-row="${focusedMessageId.value ?? 0}"]`)
  const id = row !== null && isInView(row) ? focusedMessageId.value : topmost
  return messages.get(id ?? 0)?.value
}

function replyBelowList(message: Message): void {
  const place = conversationOfMessage(message, ownId())
  openedList.value?.keep(message.id)
  openComposer(place)
  focusComposer()
}

/** Closes the reply, and focuses the message that it answered. */
export function closeReply(): void {
  closeComposer()
  document
    .querySelector<HTMLElement>(`.list [data-row="${focusedMessageId.value ?? 0}"]`)
    ?.focus({ preventScroll: true })
}

export function replyInConversation(message: Message): void {
  closeComposer()
  go({ ...conversationOfMessage(message, ownId()), near: message.id })
  afterPaint(focusComposer)
}
