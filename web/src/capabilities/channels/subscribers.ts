import { call, isEvent, type ApiEvent } from '@parley/client'
import { channels } from '@parley/server/contract'
import { signal } from '@preact/signals'
import { sync } from '../../platform/client.ts'
import { reasonOf } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'

export interface Subscribers {
  readonly userIds?: readonly number[]
  readonly failure?: string
}

const NO_SUBSCRIBERS: Subscribers = {}

const knownSubscribers = signal<ReadonlyMap<number, Subscribers>>(new Map())
/** IDs of channels whose subscriber list is current or being requested. */
const requestedIds = new Set<number>()
let isListening = false

export function subscribersOf(channelId: number): Subscribers {
  const subscribers = knownSubscribers.value.get(channelId) ?? NO_SUBSCRIBERS
  if (!requestedIds.has(channelId)) void loadSubscribers(channelId)
  return subscribers
}

async function loadSubscribers(channelId: number): Promise<void> {
  followSubscriberChanges()
  requestedIds.add(channelId)
  const answer = await call(SESSION, channels.getSubscribers, { stream_id: channelId }).then(
    ({ subscribers }): Subscribers => ({ userIds: subscribers }),
    (error: unknown): Subscribers => ({ failure: reasonOf(error) }),
  )
  knownSubscribers.value = new Map([...knownSubscribers.value, [channelId, answer]])
}

export function discardSubscribers(channelId: number): void {
  requestedIds.delete(channelId)
  knownSubscribers.value = new Map([...knownSubscribers.value].filter(([id]) => id !== channelId))
}

/** Marks changed lists as outdated. An outdated list stays visible until a reader requests it again. */
function followSubscriberChanges(): void {
  if (isListening) return
  isListening = true
  sync.onBeginning(() => {
    requestedIds.clear()
    notifyReaders()
  })
  sync.listen((event) => {
    const channelIds = changedChannelIds(event)
    if (channelIds.filter((id) => requestedIds.delete(id)).length > 0) notifyReaders()
  })
}

function changedChannelIds(event: ApiEvent): readonly number[] {
  if (isEvent(event, channels.peersAdded) || isEvent(event, channels.peersRemoved)) return event.stream_ids
  const isOwn = isEvent(event, channels.subscriptionAdded) || isEvent(event, channels.subscriptionRemoved)
  return isOwn ? event.subscriptions.map(({ stream_id: id }) => id) : []
}

function notifyReaders(): void {
  knownSubscribers.value = new Map(knownSubscribers.value)
}
