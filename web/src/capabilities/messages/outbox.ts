import { ApiError, call } from '@parley/client'
import { messages as declared } from '@parley/server/contract'
import { signal } from '@preact/signals'
import { newId } from '../../kernel/ids.ts'
import { placeKey, type Conversation, type Place } from '../../kernel/route.ts'
import { forget, keep, keptFor, type KeptMessage } from '../../platform/cache.ts'
import { messages, store, sync } from '../../platform/client.ts'
import { reasonOf } from '../../platform/requests.ts'
import { between } from '../../platform/sync/between.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { openList } from './open-list.ts'

/** A message that is on its way, waits for a connection, was refused, or was taken and is not in the list yet. */
export interface Outgoing extends KeptMessage {
  /** Why it is not sent yet; undefined while it is on its way for the first time. */
  readonly trouble: { readonly reason: string; readonly isRefused: boolean } | undefined
  /** Whether the server is being asked to take it: as long as that is open, it can no longer be taken back. */
  readonly isAsked: boolean
  /** The message that the server made of it; undefined until then. */
  readonly sentId: number | undefined
}

const FIRST_PAUSE_MILLISECONDS = 1_000
const LONGEST_PAUSE_MILLISECONDS = 30_000
/** A message that was taken stands in its conversation so long, if nothing says that it is there. */
const ARRIVAL_MILLISECONDS = 10_000

const outbox = signal<readonly Outgoing[]>([])
/** What this tab or another one has done with, so that nothing that was kept before goes on with it. */
const ended = new Set<string>()

/** A message that one tab has sent or discarded is on its way in no other. */
interface Ended {
  readonly key: string
  /** Undefined where it was discarded. */
  readonly sentId: number | undefined
}

const tellTabs = between<Ended>('parley-outbox', ({ key, sentId }) => {
  ended.add(key)
  if (sentId === undefined) leave(key)
  else arrive(key, sentId)
})

/** What was written in a place and is not in its list yet. */
export function outgoing(place: Place): readonly Outgoing[] {
  return outbox.value.filter((one) => placeKey(one.place) === placeKey(place) && !isThere(one))
}

function isThere({ sentId }: Outgoing): boolean {
  return sentId !== undefined && messages.get(sentId) !== undefined
}

/** Everything that is not sent yet, the oldest first. */
export function allOutgoing(): readonly Outgoing[] {
  const unsent = outbox.value.filter(({ sentId }) => sentId === undefined)
  return unsent.toSorted((one, other) => one.writtenAt - other.writtenAt)
}

/** Goes on with what was not sent when the client was closed, and takes out what arrives. */
export function beginOutbox(): void {
  sync.hear((event) => {
    if (event.type !== 'message') return
    const { id } = event['message'] as { id: number } // as the event declares it
    const arrived = outbox.peek().find((one) => one.sentId === id)?.key ?? event['local_message_id']
    if (typeof arrived === 'string') remove(arrived)
  })
  void resume()
}

async function resume(): Promise<void> {
  const kept = await keptFor(store().read('user_id'))
  const known = new Set(outbox.value.map(({ key }) => key))
  for (const message of kept) if (!known.has(message.key) && !ended.has(message.key)) add(message)
}

/** Sends a message; until it is there it stands at the end of its conversation, also when the client is opened anew. */
export function send(place: Conversation, content: string): void {
  const { view } = place
  const kept: KeptMessage = {
    key: newId(),
    userId: store().read('user_id'),
    place:
      view === 'topic' ? { view, channelId: place.channelId, topic: place.topic } : { view, userIds: place.userIds },
    content,
    writtenAt: Date.now(),
  }
  void keep(kept)
  add(kept)
  showEnd(place)
}

/** Shows the end of a conversation that is on the screen further up. */
function showEnd(place: Conversation): void {
  const list = openList.peek()
  if (list !== undefined && placeKey(list.place) === placeKey(place) && !list.isAtEnd.peek()) list.toEnd()
}

function add(message: KeptMessage): void {
  outbox.value = [...outbox.value, { ...message, trouble: undefined, isAsked: false, sentId: undefined }]
  transmit(message.key)
}

/** Sends a message again that was refused. */
export function retry({ key }: Outgoing): void {
  change(key, { trouble: undefined })
  transmit(key)
}

/** Takes a message back, in all tabs. */
export function discard({ key }: Outgoing): void {
  remove(key)
  tellTabs({ key, sentId: undefined })
}

function remove(key: string): void {
  if (find(key) === undefined) return
  leave(key)
  void forget(key)
}

function leave(key: string): void {
  outbox.value = outbox.value.filter((one) => one.key !== key)
}

function find(key: string): Outgoing | undefined {
  return outbox.peek().find((one) => one.key === key)
}

function change(key: string, changes: Partial<Pick<Outgoing, 'isAsked' | 'sentId' | 'trouble'>>): void {
  outbox.value = outbox.value.map((one) => (one.key === key ? { ...one, ...changes } : one))
}

/** One after the other in each conversation, in the order in which they were written. */
const lines = new Map<string, Promise<void>>()

function transmit(key: string): void {
  const entry = find(key)
  if (entry === undefined) return
  const line = placeKey(entry.place)
  const before = lines.get(line) ?? Promise.resolve()
  lines.set(
    line,
    before.then(async () => deliver(key)),
  )
}

/** Tries until the server takes the message or refuses it, or it is discarded. The server sends each key once. */
async function deliver(key: string): Promise<void> {
  let pause = FIRST_PAUSE_MILLISECONDS
  for (;;) {
    const entry = find(key)
    if (entry === undefined || entry.sentId !== undefined) return
    change(key, { isAsked: true })
    try {
      const { id } = await call(SESSION, declared.sendMessage, {
        ...destinationOf(entry.place),
        content: entry.content,
        read_by_sender: true,
        queue_id: store().read('queue_id'),
        local_id: key,
        idempotency_key: key,
      })
      taken(key, id)
      return
    } catch (error) {
      const isRefused = error instanceof ApiError && error.code !== '' && error.status < 500 && error.status !== 429
      if (find(key)?.sentId !== undefined) return
      change(key, { trouble: { reason: reasonOf(error), isRefused }, isAsked: false })
      if (isRefused) return
      await connection(pause)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MILLISECONDS)
    }
  }
}

function taken(key: string, sentId: number): void {
  void forget(key)
  arrive(key, sentId)
  tellTabs({ key, sentId })
}

/** It stands where it is until its message is in the list, so that there is no moment without it. */
function arrive(key: string, sentId: number): void {
  change(key, { trouble: undefined, sentId })
  setTimeout(() => remove(key), ARRIVAL_MILLISECONDS)
}

/** Waits for a while, or until the browser has a connection again. */
async function connection(milliseconds: number): Promise<void> {
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

function destinationOf(place: KeptMessage['place']) {
  return place.view === 'topic'
    ? { type: 'channel' as const, to: place.channelId, topic: place.topic }
    : { type: 'direct' as const, to: [...place.userIds] }
}
