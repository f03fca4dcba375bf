import { call, isEvent, type PayloadOf } from '@parley/client'
import { typing as declared } from '@parley/server/contract'
import { signal } from '@preact/signals'
import { placeKey, type Conversation, type Place } from '../../kernel/route.ts'
import { store, sync } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { ownId } from '../users/state.ts'

const typists = signal<ReadonlyMap<string, readonly number[]>>(new Map())
const expiryTimers = new Map<string, ReturnType<typeof setTimeout>>()

export function typistsIn(place: Place): readonly number[] {
  return typists.value.get(placeKey(place)) ?? []
}

export function followTyping(): void {
  sync.listen((event) => {
    if (isEvent(event, declared.typingStarted)) handleTypingEvent(event, true)
    else if (isEvent(event, declared.typingStopped)) handleTypingEvent(event, false)
  })
}

function handleTypingEvent(
  { sender, recipients, stream_id, topic }: PayloadOf<typeof declared.typingStarted>,
  isTyping: boolean,
): void {
  if (sender.user_id === ownId()) return
  const others = (recipients ?? []).map(({ user_id }) => user_id).filter((id) => id !== ownId())
  const place: Place =
    stream_id === undefined
      ? { view: 'direct', userIds: others }
      : { view: 'topic', channelId: stream_id, topic: topic ?? '' }
  setTyping(placeKey(place), sender.user_id, isTyping)
}

function setTyping(key: string, userId: number, isTyping: boolean): void {
  const others = (typists.value.get(key) ?? []).filter((id) => id !== userId)
  typists.value = new Map([...typists.value, [key, isTyping ? [...others, userId] : others]])
  const timer = `${key}:${userId}`
  clearTimeout(expiryTimers.get(timer))
  expiryTimers.delete(timer)
  if (!isTyping) return
  // The notice expires, because the other client can disappear without a stop event.
  const expiry = store().read('server_typing_started_expiry_period_milliseconds')
  expiryTimers.set(
    timer,
    setTimeout(() => setTyping(key, userId, false), expiry),
  )
}

let reportedAt = 0
let reportedFor: Conversation | undefined
let stopTimer: ReturnType<typeof setTimeout> | undefined

/** Reports typing at most once in the interval that the server sets, and the end of typing after a pause. */
export function reportTyping(place: Conversation): void {
  const setting = place.view === 'topic' ? 'send_stream_typing_notifications' : 'send_private_typing_notifications'
  if (store().read('user_settings')[setting] === false) return
  if (reportedFor !== undefined && placeKey(reportedFor) !== placeKey(place)) stopTyping()
  clearTimeout(stopTimer)
  stopTimer = setTimeout(stopTyping, store().read('server_typing_stopped_wait_period_milliseconds'))
  const now = Date.now()
  if (reportedFor !== undefined && now - reportedAt < store().read('server_typing_started_wait_period_milliseconds'))
    return
  reportedAt = now
  reportedFor = place
  sendTyping(place, 'start')
}

export function stopTyping(): void {
  clearTimeout(stopTimer)
  if (reportedFor !== undefined) sendTyping(reportedFor, 'stop')
  reportedFor = undefined
}

function sendTyping(place: Conversation, op: 'start' | 'stop'): void {
  const where =
    place.view === 'topic'
      ? { type: 'stream' as const, stream_id: place.channelId, topic: place.topic }
      : { type: 'direct' as const, to: [...place.userIds] }
  // A lost report does no harm.
  call(SESSION, declared.setTypingStatus, { ...where, op }).catch(() => undefined)
}
