import { call } from '@parley/client'
import { messages as declared } from '@parley/server/contract'
import { signal } from '@preact/signals'
import { newId } from '../../kernel/ids.ts'
import type { Place } from '../../kernel/route.ts'
import { placeKey } from '../../kernel/route.ts'
import { store, sync } from '../../platform/client.ts'
import { reasonOf } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'

export type Conversation = Extract<Place, { view: 'topic' | 'direct' }>

/** Takes messages out of the outbox as they arrive as events, so that none is shown twice. */
export function hearDeliveries(): void {
  sync.hear((event) => {
    if (event.type === 'message' && typeof event['local_message_id'] === 'string') remove(event['local_message_id'])
  })
}

/** A message that is on its way, or could not be sent. */
export interface Outgoing {
  /** Ours, for as long as it is not there. */
  readonly key: string
  readonly place: Conversation
  readonly content: string
  /** Why it was not sent; undefined while it is on its way. */
  readonly failure: string | undefined
}

const outbox = signal<readonly Outgoing[]>([])

export function outgoing(place: Place): readonly Outgoing[] {
  return outbox.value.filter((one) => placeKey(one.place) === placeKey(place))
}

/** Sends a message; until it is there it stands at the end of its conversation. */
export function send(place: Conversation, content: string): void {
  const entry: Outgoing = { key: newId(), place, content, failure: undefined }
  outbox.value = [...outbox.value, entry]
  void transmit(entry)
}

export function retry(entry: Outgoing): void {
  const again: Outgoing = { ...entry, failure: undefined }
  outbox.value = outbox.value.map((one) => (one.key === entry.key ? again : one))
  void transmit(again)
}

export function discard({ key }: Outgoing): void {
  remove(key)
}

function remove(key: string): void {
  if (outbox.value.some((one) => one.key === key)) outbox.value = outbox.value.filter((one) => one.key !== key)
}

/** One after the other in each conversation, in the order in which they were written. */
const queues = new Map<string, Promise<void>>()

async function transmit(entry: Outgoing): Promise<void> {
  const key = placeKey(entry.place)
  const before = queues.get(key) ?? Promise.resolve()
  const sent = before.then(async () => deliver(entry))
  queues.set(key, sent)
  await sent
}

async function deliver(entry: Outgoing): Promise<void> {
  try {
    await call(SESSION, declared.sendMessage, {
      ...destinationOf(entry.place),
      content: entry.content,
      read_by_sender: true,
      queue_id: store().read('queue_id'),
      local_id: entry.key,
    })
    discard(entry)
  } catch (error) {
    outbox.value = outbox.value.map((one) => (one.key === entry.key ? { ...one, failure: reasonOf(error) } : one))
  }
}

function destinationOf(place: Conversation) {
  return place.view === 'topic'
    ? { type: 'channel' as const, to: place.channelId, topic: place.topic }
    : { type: 'direct' as const, to: [...place.userIds] }
}
