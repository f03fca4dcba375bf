import { useComputed } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { destinationKey, type Destination } from '../../../kernel/destination.ts'
import { conversationOfMessage, type Message } from '../../../kernel/message.ts'
import type { Conversation, Place } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { messages } from '../../../platform/client.ts'
import { keepFocus } from '../../../platform/dom/growing-field.tsx'
import { Icon } from '../../../platform/dom/icons.tsx'
import { lazily } from '../../../platform/dom/lazy.tsx'
import { isNarrow } from '../../../platform/frame.ts'
import { drawnRoute, goBack, viewNumber } from '../../../platform/router.ts'
import { channelById, channelIcon } from '../../channels/state.ts'
import { openClips } from '../../clips/state.ts'
import { startEdit } from '../../message-edits/state.ts'
import { warmUpRenderer } from '../../messages/rendering.ts'
import { channelTitle, placeName, topicTitle } from '../../places/title.tsx'
import { ownId } from '../../users/state.ts'
import {
  goToDestination,
  sendComposition,
  startTopic,
  closeReply,
  focusPart,
  isFeedShown,
  replyInConversation,
  messageToAnswer,
} from '../actions.ts'
import { Composition } from '../composition.ts'
import { useDroppedFiles } from '../pasting.ts'
import {
  startedDestination,
  currentComposition,
  otherDestination,
  closeComposer,
  hasNoRecipients,
  homeDestination,
  isFocusWanted,
  isSendKey,
  requestedInsertion,
  takeFocusRequest,
  takeInsertion,
} from '../state.ts'
import { DestinationRow } from './destination.tsx'
import { Field } from './field.tsx'
import { SendButtons, Tools } from './tools.tsx'
import './composer.css'

const Peek = lazily(
  async () => (await import('./peek.tsx')).Peek,
  () => null,
)
const Quote = lazily(
  async () => (await import('./quote.tsx')).Quote,
  () => null,
)
const Preview = lazily(async () => (await import('./warnings.tsx')).Preview)
const Warnings = lazily(
  async () => (await import('./warnings.tsx')).Warnings,
  () => null,
)
const Uploads = lazily(
  async () => (await import('./uploads.tsx')).Uploads,
  () => null,
)

const Recorder = lazily(
  async () => (await import('../../clips/parts/recorder.tsx')).Recorder,
  () => null,
)

interface ComposerProps {
  /** Conversation to write to, if the view's URL does not identify one. Each conversation gets a new composer. */
  readonly of?: Conversation
}

/** Shown below conversations and channels, and in other views while the user writes. A feed shows only buttons. */
export function Composer({ of }: ComposerProps) {
  const home = of ?? homeDestination()
  const destination = home ?? startedDestination.value
  if (home?.view === 'topic' && channelById(home.channelId ?? 0) === undefined) return null
  if (destination === undefined) return isFeedShown() ? <FeedComposer /> : null
  // In a view of several conversations, the text stays when its destination changes.
  const key = home === undefined || of !== undefined ? '' : viewNumber()
  return <OpenComposer key={key} destination={destination} home={home} />
}

function useComposition(destination: Destination, home: Destination | undefined): Composition {
  const writing = useMemo(() => new Composition(destination, home), [])
  useLayoutEffect(() => {
    currentComposition.value = writing
    if (home !== undefined) closeComposer()
    return () => {
      if (currentComposition.value === writing) currentComposition.value = undefined
    }
  }, [])
  useLayoutEffect(() => writing.followDraft(), [])
  // Reads the signal while rendering: in a signal effect, the previous view's field would take the focus first.
  useLayoutEffect(() => {
    if (!takeFocusRequest()) return
    if (hasNoRecipients(writing.destination.value)) focusPart('people')
    else writing.field?.focus()
  }, [writing, isFocusWanted.value])
  const route = drawnRoute()
  useLayoutEffect(() => {
    // Opening the current conversation again returns to its draft. Links to messages only scroll.
    if (home !== undefined && !('near' in route)) writing.destination.value = home
  }, [route])
  useEffect(() => {
    const text = takeInsertion(writing.destination.value)
    if (text !== undefined) writing.insertRequested(text)
  }, [requestedInsertion.value])
  return writing
}

interface OpenComposerProps {
  readonly destination: Destination
  readonly home: Destination | undefined
}

function OpenComposer({ destination, home }: OpenComposerProps) {
  const writing = useComposition(destination, home)
  const isEmpty = writing.content === ''
  useEffect(() => {
    if (!isEmpty) warmUpRenderer()
  }, [isEmpty])
  // Uses a computed signal, so that this component does not rerender on each progress event.
  const hasFiles = useComputed(() => writing.hasFiles).value
  const isDropping = useDroppedFiles(writing)
  const away = otherDestination(writing)
  const name = nameOf(writing)
  const hasClip = openClips.value.has(writing.key)
  const [isHeadFocused, setHeadFocused] = useState(false)
  const isOpened = isHeadFocused || hasFiles || hasClip || writing.hasPreview.value || writing.isExpanded.value
  const isAtHome = isHome(writing)
  const isIdle = isEmpty && !isOpened && isAtHome
  return (
    <form
      class={`composer${writing.isExpanded.value ? ' is-expanded' : ''}${isIdle ? ' is-home is-idle' : isAtHome ? ' is-home' : ''}`}
      aria-label={t().composer.form}
      onMouseDown={keepFocus}
      onFocusIn={({ target, relatedTarget }) => {
        setHeadFocused(isInHead(target))
        // The recipients of a new direct message are complete.
        if (target === writing.field && isInHead(relatedTarget) && hasNoRecipients(home)) goToDestination()
      }}
      onFocusOut={() => setHeadFocused(false)}
      onSubmit={(event) => {
        event.preventDefault()
        sendComposition(writing)
      }}
    >
      <div class="composer-box">
        {away !== undefined && <Peek place={away} />}
        <Head writing={writing} />
        {writing.quote.value !== '' && <Quote writing={writing} />}
        <div class="composer-text">
          <Field
            writing={writing}
            label={t().composer.label(name)}
            // On a phone, the header or the row above names the destination, and the whole path would be cut.
            placeholder={t().composer.placeholder(isNarrow.value ? undefined : pathOf(writing))}
            onKey={(event) => onComposerKey(event, writing)}
          />
        </div>
        {hasFiles && <Uploads writing={writing} />}
        <Warnings writing={writing} />
        {writing.hasPreview.value && <Preview text={writing.content} />}
        {hasClip ? (
          <Recorder writing={writing} />
        ) : (
          <Tools writing={writing} isNew>
            <SendButtons writing={writing} />
          </Tools>
        )}
      </div>
      {isDropping && <DropZone writing={writing} />}
    </form>
  )
}

function Head({ writing }: { readonly writing: Composition }) {
  const { home } = writing
  return (
    <div class="composer-head">
      <button
        class="icon-button"
        type="button"
        aria-label={t().composer.expand}
        aria-pressed={writing.isExpanded.value}
        title={t().composer.expand}
        onClick={() => {
          writing.isExpanded.value = !writing.isExpanded.value
          writing.field?.focus()
        }}
      >
        <Icon name={writing.isExpanded.value ? 'shrink' : 'expand'} size={16} />
      </button>
      {(home === undefined || hasNoRecipients(home)) && (
        <button
          class="icon-button"
          type="button"
          aria-label={t().composer.close}
          onClick={home === undefined ? closeReply : goBack}
        >
          <Icon name="close" size={16} />
        </button>
      )}
      <DestinationRow writing={writing} />
    </div>
  )
}

function isInHead(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.composer-head') !== null
}

/** Whether the composer writes to its view's own destination, which the view's header names. */
function isHome({ home, destination }: Composition): boolean {
  return home !== undefined && !hasNoRecipients(home) && destinationKey(destination.value) === destinationKey(home)
}

function onComposerKey(event: KeyboardEvent, writing: Composition): boolean {
  if (isSendKey(event)) {
    sendComposition(writing)
    return true
  }
  if (event.key === 'ArrowUp' && writing.text.value === '') {
    const last = writing.conversation === undefined ? undefined : lastOwnMessage(writing.conversation)
    if (last !== undefined) void startEdit(last)
    return last !== undefined
  }
  if (event.key !== 'Escape' || event.shiftKey) return false
  writing.field?.blur()
  if (writing.home === undefined) closeReply()
  return true
}

function lastOwnMessage(place: Place): Message | undefined {
  return messages
    .shownIn(place)
    .toReversed()
    .find((message) => message.sender_id === ownId())
}

function nameOf({ conversation, destination: { value } }: Composition): string {
  if (conversation !== undefined) return placeName(conversation)
  const channelId = value.view === 'topic' ? value.channelId : undefined
  return channelId === undefined ? t().composer.someone : channelTitle(channelId)
}

/** Brief name of the destination: `#channel` or `#channel > topic`, without `#` if the channel is private. */
function pathOf(writing: Composition): string {
  const place = writing.conversation ?? writing.destination.value
  if (place.view !== 'topic' || place.channelId === undefined) return nameOf(writing)
  const channel = `${channelIcon(place.channelId) === 'hash' ? '#' : ''}${channelTitle(place.channelId)}`
  return place.topic === undefined ? channel : `${channel} > ${topicTitle(place.topic)}`
}

function DropZone({ writing: { conversation } }: { readonly writing: Composition }) {
  return (
    <div class="drop-zone">
      <p>
        <Icon name="attach" size={28} />
        {t().composer.drop(conversation === undefined ? t().composer.someone : placeName(conversation))}
      </p>
    </div>
  )
}

function FeedComposer() {
  const message = messageToAnswer()
  return (
    <div class="composer">
      <div class="composer-box composer-closed">
        {message !== undefined && (
          <button class="composer-answer" onClick={() => replyInConversation(message)}>
            <Icon name="reply" size={16} />
            <span>{t().composer.answerTo(placeName(conversationOfMessage(message, ownId())))}</span>
          </button>
        )}
        <button class="button" aria-label={t().keys.newTopic} title={t().keys.newTopic} onClick={startTopic}>
          <Icon name="plus" size={16} />
          <span>{t().keys.newTopic}</span>
        </button>
      </div>
    </div>
  )
}
