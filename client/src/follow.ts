import { queues } from '@parley/server/contract'
import { positionOfEvent } from '@parley/server/kernel/event-ids'
import { unpackLists } from '@parley/server/kernel/packed-rows'
import { ApiError, call, recordSeenPosition, type Credentials } from './calls.ts'
import { fold, type ApiEvent } from './fold.ts'
import { readStream } from './stream.ts'
import type { ClientState, InputOf } from './types.ts'

const FIRST_RETRY_DELAY_MILLISECONDS = 250
const MAX_RETRY_DELAY_MILLISECONDS = 30_000
const MAX_RETRY_AFTER_MILLISECONDS = 600_000
/** Default `event_queue_longpoll_timeout_seconds`. The server sends several heartbeats in this time. */
const DEFAULT_SILENCE_SECONDS = 90
/** After a stream fails, polls for this time before trying streams again: the server may only have been slow. */
const POLLING_FALLBACK_MILLISECONDS = 600_000

export interface Follower {
  /** Called with the state of each new registration: the first, and one after each lost queue. */
  onState?(state: ClientState): void
  /** Called after each event has been applied. @param touched the names of all fields that may have changed */
  onEvent(event: ApiEvent, state: ClientState, touched: readonly string[]): void
  /** Called before each event is applied. Afterward the event's objects belong to the state and may change. */
  onReceived?(event: ApiEvent): void
  /** Called when the server becomes unreachable or reachable. `isRateLimited`: the server limits this client's rate. */
  onConnection?(isThere: boolean, isRateLimited?: boolean): void
  /** Called when an event or a callback throws. A new queue then replaces the current one, which would fail again. */
  onFault?(error: unknown): void
}

export interface FollowOptions {
  /** Whether to use event streams where possible instead of only polls. Default: true. */
  readonly streams?: boolean
  /** Maximum wait for a stream's first bytes. Slower streams are assumed to be buffered by a proxy. */
  readonly firstBytesMilliseconds?: number
  /** Stored state, current up to its `last_event_id`. If its queue still exists, `onState` is not called. */
  readonly from?: ClientState | undefined
}

/**
 * Registers an event queue and follows it until the signal aborts, across server restarts and lost connections.
 * Registers again when the queue is gone. Uses polls if streams do not work.
 * @throws ApiError when the server refuses and retrying cannot help
 */
export async function follow(
  credentials: Credentials,
  registration: InputOf<typeof queues.registerQueue>,
  follower: Follower,
  signal: AbortSignal = new AbortController().signal,
  { streams = true, firstBytesMilliseconds, from }: FollowOptions = {},
): Promise<void> {
  let queue = from === undefined ? undefined : parseQueue(from)
  const options = { includeSubscribers: (registration.include_subscribers ?? 'false') !== 'false' }
  let pause = FIRST_RETRY_DELAY_MILLISECONDS
  let streamsFrom = streams ? 0 : Infinity
  while (!signal.aborted) {
    try {
      queue ??= await registerQueue(credentials, registration, follower, signal)
      const followed = queue
      const take = (event: ApiEvent): void => {
        wrapProcessingErrors(() => {
          follower.onReceived?.(event)
          const touched = fold(followed.state, event, options)
          followed.state['last_event_id'] = followed.lastEventId = event.id
          if (followed.startPosition !== undefined)
            recordSeenPosition(credentials, positionOfEvent(followed.startPosition, event.id))
          follower.onEvent(event, followed.state, touched)
        })
        pause = FIRST_RETRY_DELAY_MILLISECONDS
      }
      const isThere = (): void => follower.onConnection?.(true)
      if (Date.now() < streamsFrom) {
        await pollEvents(credentials, followed, take, signal)
        isThere()
      } else if (
        await readStream(credentials, followed, take, {
          signal,
          silentMilliseconds: followed.silentMilliseconds,
          firstBytesMilliseconds,
          onBegin: isThere,
        })
      ) {
        await delay(pause, signal)
      } else streamsFrom = Date.now() + POLLING_FALLBACK_MILLISECONDS
      pause = FIRST_RETRY_DELAY_MILLISECONDS
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && error.code === 'BAD_EVENT_QUEUE_ID') {
        queue = undefined
        continue
      }
      if (isFinal(error)) throw error
      if (error instanceof ProcessingError) {
        follower.onFault?.(error.cause)
        if (queue !== undefined) call(credentials, queues.deleteQueue, { queue_id: queue.id }).catch(() => undefined)
        queue = undefined
      } else follower.onConnection?.(false, isRateLimited(error))
      await delay(Math.max(pause, retryAfterMilliseconds(error)), signal)
      pause = Math.min(pause * 2, MAX_RETRY_DELAY_MILLISECONDS)
    }
  }
}

/** An error while processing the server's data, as opposed to a network error. */
class ProcessingError extends Error {}

function wrapProcessingErrors(take: () => void): void {
  try {
    take()
  } catch (error) {
    throw new ProcessingError("the client cannot process the server's data", { cause: error })
  }
}

interface FollowedQueue {
  readonly id: string
  lastEventId: number
  readonly state: ClientState
  /** The log position at which the queue starts, if the registration requested it. */
  readonly startPosition: number | undefined
  /** Silence after which the connection counts as broken. */
  readonly silentMilliseconds: number
}

async function registerQueue(
  credentials: Credentials,
  registration: InputOf<typeof queues.registerQueue>,
  follower: Follower,
  signal: AbortSignal,
): Promise<FollowedQueue> {
  const state = await call(credentials, queues.registerQueue, registration, { signal })
  if (state.queue_id === null) throw notSignedIn()
  unpackLists(state)
  wrapProcessingErrors(() => follower.onState?.(state))
  // `onState` can abort, for example because another user signed in.
  signal.throwIfAborted()
  return parseQueue(state)
}

/** Error for a response without a queue, which signed-out clients get from a server with web-public channels. */
export function notSignedIn(): ApiError {
  return new ApiError(401, { code: 'UNAUTHENTICATED_USER', msg: 'Not logged in' })
}

function parseQueue(state: ClientState): FollowedQueue {
  const { queue_id: id, last_event_id: lastEventId, log_position: position } = state
  const { event_queue_longpoll_timeout_seconds: seconds } = state
  const silentMilliseconds = 1000 * (typeof seconds === 'number' ? seconds : DEFAULT_SILENCE_SECONDS)
  const startPosition = typeof position === 'number' ? position : undefined
  return { id: String(id), lastEventId: Number(lastEventId), state, startPosition, silentMilliseconds }
}

async function pollEvents(
  credentials: Credentials,
  { id, lastEventId }: FollowedQueue,
  take: (event: ApiEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const polled = { queue_id: id, last_event_id: lastEventId }
  const { events } = await call(credentials, queues.getEvents, polled, { signal })
  for (const event of events as ApiEvent[]) take(event)
}

/** Whether retrying cannot help: the server refused, and not because it was busy. */
export function isFinal(error: unknown): boolean {
  // Without a code, the response is not from the API, for example from a proxy while the server starts.
  return error instanceof ApiError && error.code !== '' && error.status < 500 && error.status !== 429
}

function isRateLimited(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429
}

export function retryAfterMilliseconds(error: unknown): number {
  const seconds = isRateLimited(error) ? error.body['retry-after'] : undefined
  return typeof seconds === 'number' ? Math.min(seconds * 1000, MAX_RETRY_AFTER_MILLISECONDS) : 0
}

async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(finish, milliseconds)
    function finish(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    signal.addEventListener('abort', finish)
  })
}
