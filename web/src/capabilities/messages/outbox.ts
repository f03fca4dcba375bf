import { ApiError, call, isEvent, isFinal } from '@parley/client'
import { messages as declared } from '@parley/server/contract'
import { signal } from '@preact/signals'
import { newId } from '../../kernel/ids.ts'
import { placeKey, type Conversation, type Place } from '../../kernel/route.ts'
import { deleteUnsent, storeUnsent, unsentMessagesOf, type UnsentMessage } from '../../platform/cache.ts'
import { messages, store, sync } from '../../platform/client.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { reasonOf } from '../../platform/requests.ts'
import { openTabChannel } from '../../platform/sync/tabs.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { noteSentMessage } from '../../platform/undo.ts'
import { visibilityOf } from '../unread/state.ts'
import { openedList } from './open-list.ts'

/** Message that is being sent, is waiting for a connection, was refused, or was accepted but is not yet in the list. */
export interface OutgoingMessage extends UnsentMessage {
  /** Undefined during the first attempt. */
  readonly trouble: { readonly reason: string; readonly isRefused: boolean } | undefined
  /** Whether a request is pending. Meanwhile, the message cannot be discarded. */
  readonly isAsked: boolean
  readonly sentId: number | undefined
  /** Set if the message waits for review by a moderator. */
  readonly heldId?: number
}

const FIRST_RETRY_DELAY_MILLISECONDS = 1_000
const MAX_RETRY_DELAY_MILLISECONDS = 30_000
/** Maximum wait for the event of an accepted message. */
const MAX_EVENT_WAIT_MILLISECONDS = 10_000

const outbox = signal<readonly OutgoingMessage[]>([])
/** Keys of messages that any tab has sent or discarded, so that stored copies are not sent again. */
const finishedKeys = new Set<string>()

interface OutboxNotice {
  readonly key: string
  readonly sentId: number | undefined
}

const sendToTabs = openTabChannel<OutboxNotice>('parley-outbox', ({ key, sentId }) => {
  finishedKeys.add(key)
  if (sentId === undefined) removeFromList(key)
  else removeWhenShown(key, sentId)
})

export function outgoingMessagesIn(place: Place): readonly OutgoingMessage[] {
  return [...outbox.value, ...heldEntries()].filter(
    (one) => placeKey(one.place) === placeKey(place) && !isShownInList(one),
  )
}

function heldEntries(): readonly OutgoingMessage[] {
  const held = store().read('held_messages') ?? []
  return held.map(
    ({ held_message_id: heldId, author_id: userId, stream_id: channelId, topic, content, held_at: at }) => ({
      key: `held ${heldId}`,
      userId,
      place: { view: 'topic', channelId, topic },
      content,
      writtenAt: at * 1000,
      trouble: undefined,
      isAsked: false,
      sentId: undefined,
      heldId,
    }),
  )
}

function isShownInList({ sentId }: OutgoingMessage): boolean {
  return sentId !== undefined && messages.get(sentId) !== undefined
}

export function outgoingMessages(): readonly OutgoingMessage[] {
  const unsent = [...outbox.value, ...heldEntries()].filter(({ sentId }) => sentId === undefined)
  return unsent.toSorted((one, other) => one.writtenAt - other.writtenAt)
}

/** Resumes sending the last session's unsent messages. */
export function startOutbox(): void {
  sync.listen((event) => {
    if (!isEvent(event, declared.messageSent)) return
    const { message, local_message_id: localId } = event
    const arrived = outbox.peek().find((one) => one.sentId === message.id)?.key ?? localId
    if (arrived !== undefined) removeEntry(arrived)
  })
  void resumeUnsent()
}

async function resumeUnsent(): Promise<void> {
  const kept = await unsentMessagesOf(store().read('user_id'))
  const known = new Set(outbox.value.map(({ key }) => key))
  for (const message of kept) if (!known.has(message.key) && !finishedKeys.has(message.key)) addEntry(message)
}

/** Sends a message, and shows it at the end of its conversation until its event arrives, even after a reload. */
export function sendMessage(place: Conversation, content: string): void {
  const { view } = place
  const kept: UnsentMessage = {
    key: newId(),
    userId: store().read('user_id'),
    place:
      view === 'topic' ? { view, channelId: place.channelId, topic: place.topic } : { view, userIds: place.userIds },
    content,
    writtenAt: Date.now(),
  }
  noteSentMessage()
  void storeUnsent(kept)
  addEntry(kept)
  scrollToEnd(place)
}

function scrollToEnd(place: Conversation): void {
  const list = openedList.peek()
  if (list !== undefined && placeKey(list.place) === placeKey(place) && !list.isAtEnd.peek()) list.toEnd(true)
}

function addEntry(message: UnsentMessage): void {
  outbox.value = [...outbox.value, { ...message, trouble: undefined, isAsked: false, sentId: undefined }]
  enqueueDelivery(message.key)
}

export function retryMessage({ key }: OutgoingMessage): void {
  changeEntry(key, { trouble: undefined })
  enqueueDelivery(key)
}

export function discardMessage({ key }: OutgoingMessage): void {
  removeEntry(key)
  sendToTabs({ key, sentId: undefined })
}

function removeEntry(key: string): void {
  if (findEntry(key) === undefined) return
  removeFromList(key)
  void deleteUnsent(key)
}

function removeFromList(key: string): void {
  outbox.value = outbox.value.filter((one) => one.key !== key)
}

function findEntry(key: string): OutgoingMessage | undefined {
  return outbox.peek().find((one) => one.key === key)
}

function changeEntry(key: string, changes: Partial<Pick<OutgoingMessage, 'isAsked' | 'sentId' | 'trouble'>>): void {
  outbox.value = outbox.value.map((one) => (one.key === key ? { ...one, ...changes } : one))
}

const sendingQueues = new Map<string, Promise<void>>()

function enqueueDelivery(key: string): void {
  const entry = findEntry(key)
  if (entry === undefined) return
  const line = placeKey(entry.place)
  const before = sendingQueues.get(line) ?? Promise.resolve()
  sendingQueues.set(
    line,
    before.then(async () => deliverMessage(key)),
  )
}

/** Sends a message, and retries until it is accepted, refused, or discarded. The key prevents duplicates. */
async function deliverMessage(key: string): Promise<void> {
  let pause = FIRST_RETRY_DELAY_MILLISECONDS
  for (;;) {
    const entry = findEntry(key)
    if (entry === undefined || entry.sentId !== undefined) return
    changeEntry(key, { isAsked: true })
    const { place } = entry
    const before = place.view === 'topic' ? visibilityOf(place.channelId, place.topic) : 0
    try {
      const { id, automatic_new_visibility_policy: policy } = await call(SESSION, declared.sendMessage, {
        ...destinationOf(place),
        content: entry.content,
        read_by_sender: true,
        queue_id: store().read('queue_id'),
        local_id: key,
        idempotency_key: key,
      })
      finishSending(key, id)
      if (policy === undefined || place.view !== 'topic') return
      void withPart(import('../user-topics/actions.ts'), (part) =>
        part.reportAutomaticPolicy(place.channelId, place.topic, before, policy),
      )
      return
    } catch (error) {
      const code = error instanceof ApiError ? error.code : ''
      // The stored message will be sent after the next sign-in.
      if (findEntry(key)?.sentId !== undefined || code === 'UNAUTHENTICATED_USER') return
      if (code === 'MESSAGE_HELD') {
        removeEntry(key)
        sendToTabs({ key, sentId: undefined })
        return
      }
      const isRefused = isFinal(error)
      changeEntry(key, { trouble: { reason: reasonOf(error), isRefused }, isAsked: false })
      if (isRefused) return
      await waitForConnection(pause)
      pause = Math.min(pause * 2, MAX_RETRY_DELAY_MILLISECONDS)
    }
  }
}

function finishSending(key: string, sentId: number): void {
  void deleteUnsent(key)
  removeWhenShown(key, sentId)
  sendToTabs({ key, sentId })
}

/** Keeps an accepted message until it is in the list, to avoid flicker. */
function removeWhenShown(key: string, sentId: number): void {
  changeEntry(key, { trouble: undefined, sentId })
  setTimeout(() => removeEntry(key), MAX_EVENT_WAIT_MILLISECONDS)
}

async function waitForConnection(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    window.addEventListener('online', done)
  })
}

function destinationOf(place: UnsentMessage['place']) {
  return place.view === 'topic'
    ? { type: 'channel' as const, to: place.channelId, topic: place.topic }
    : { type: 'direct' as const, to: [...place.userIds] }
}
