import { queues } from '@parley/server/contract'
import { positionOfEvent } from '@parley/server/kernel/event-ids'
import { ApiError, call, noteSeen, type Credentials } from './calls.ts'
import { fold, type ApiEvent } from './fold.ts'
import { readStream } from './stream.ts'
import type { ClientState, InputOf } from './types.ts'

const FIRST_RETRY_MILLISECONDS = 250
const LONGEST_RETRY_MILLISECONDS = 30_000
/** Whatever the server says, it is asked again after so long. */
const LONGEST_HELD_MILLISECONDS = 600_000
/** The server is heard several times in this, unless it is set otherwise, which the state of the organization says. */
const USUAL_SILENT_SECONDS = 90
/** Where a stream does not get through, it is tried again after so long: perhaps the server was only slow. */
const POLLING_MILLISECONDS = 600_000

export interface Follower {
  /** Called after a registration, with the state that the events will change: at first, and when a queue was lost. */
  onState?(state: ClientState): void
  /**
   * Called for each event, after it has been folded into the state.
   * @param touched the names of the state's fields that it may have changed; no other has
   */
  onEvent(event: ApiEvent, state: ClientState, touched: readonly string[]): void
  /** Called for each event before it is folded: afterwards what it holds is part of the state, and may change with it. */
  onReceived?(event: ApiEvent): void
  /**
   * Called when the server cannot be reached, and when it is there again.
   * @param isHeld whether it is there and has the client wait, which asked too often
   */
  onConnection?(isThere: boolean, isHeld?: boolean): void
  /**
   * Called with what folding an event, or one of these functions, throws. The state may be anything then, and the same
   * event would throw again: the queue is given up and another registered.
   */
  onFault?(error: unknown): void
}

export interface FollowOptions {
  /** Whether events come as a stream where that is possible, or by polls alone. They do unless it is said. */
  readonly streams?: boolean
  /** How long a stream may take to begin: one that takes longer is collected somewhere on its way. */
  readonly firstBytesMilliseconds?: number
  /**
   * A state that was kept, folded up to its `last_event_id`: its queue is followed from there, and registered anew only if
   * the server no longer has it. `onState` is not called with it.
   */
  readonly from?: ClientState | undefined
}

/**
 * Registers an event queue and follows it until the signal aborts, or for ever where there is none, through restarts of the
 * server and losses of the connection; registers anew when the queue is gone. Events come as a stream, or by polls where
 * streams do not get through.
 * @throws ApiError when the server refuses and asking again will not help
 */
export async function follow(
  credentials: Credentials,
  registration: InputOf<typeof queues.registerQueue>,
  follower: Follower,
  signal: AbortSignal = new AbortController().signal,
  { streams = true, firstBytesMilliseconds, from }: FollowOptions = {},
): Promise<void> {
  let queue = from === undefined ? undefined : queueOf(from)
  const options = { includeSubscribers: (registration.include_subscribers ?? 'false') !== 'false' }
  let pause = FIRST_RETRY_MILLISECONDS
  let streamsFrom = streams ? 0 : Infinity
  while (!signal.aborted) {
    try {
      queue ??= await register(credentials, registration, follower, signal)
      const followed = queue
      const take = (event: ApiEvent): void => {
        guarded(() => {
          follower.onReceived?.(event)
          const touched = fold(followed.state, event, options)
          followed.state['last_event_id'] = followed.lastEventId = event.id
          if (followed.start !== undefined) noteSeen(credentials, positionOfEvent(followed.start, event.id))
          follower.onEvent(event, followed.state, touched)
        })
        pause = FIRST_RETRY_MILLISECONDS
      }
      const isThere = (): void => follower.onConnection?.(true)
      if (Date.now() < streamsFrom) {
        await poll(credentials, followed, take, signal)
        isThere()
      } else if (
        await readStream(credentials, followed, take, {
          signal,
          silentMilliseconds: followed.silentMilliseconds,
          firstBytesMilliseconds,
          onBegin: isThere,
        })
      ) {
        await rest(pause, signal)
      } else streamsFrom = Date.now() + POLLING_MILLISECONDS
      pause = FIRST_RETRY_MILLISECONDS
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && error.code === 'BAD_EVENT_QUEUE_ID') {
        queue = undefined
        continue
      }
      if (isFinal(error)) throw error
      if (error instanceof Fault) {
        follower.onFault?.(error.cause)
        if (queue !== undefined) call(credentials, queues.deleteQueue, { queue_id: queue.id }).catch(() => undefined)
        queue = undefined
      } else follower.onConnection?.(false, isHeld(error))
      await rest(Math.max(pause, heldMilliseconds(error)), signal)
      pause = Math.min(pause * 2, LONGEST_RETRY_MILLISECONDS)
    }
  }
}

/** What goes wrong with what the server said, rather than on the way to it. */
class Fault extends Error {}

/** @throws Fault for whatever is thrown */
function guarded(take: () => void): void {
  try {
    take()
  } catch (error) {
    throw new Fault('the client cannot take in what the server said', { cause: error })
  }
}

/** A queue, and what its client knows by now. */
interface FollowedQueue {
  readonly id: string
  lastEventId: number
  readonly state: ClientState
  /** The position of the log at which it begins, where the registration asked for that. */
  readonly start: number | undefined
  /** After which it is to be asked again. */
  readonly silentMilliseconds: number
}

async function register(
  credentials: Credentials,
  registration: InputOf<typeof queues.registerQueue>,
  follower: Follower,
  signal: AbortSignal,
): Promise<FollowedQueue> {
  const state = await call(credentials, queues.registerQueue, registration, { signal })
  if (state.queue_id === null) throw new Error('who is logged in always gets a queue')
  guarded(() => follower.onState?.(state))
  // `onState` may have ended the following, where the state is of another person.
  signal.throwIfAborted()
  return queueOf(state)
}

function queueOf(state: ClientState): FollowedQueue {
  const { queue_id: id, last_event_id: lastEventId, log_position: position } = state
  const { event_queue_longpoll_timeout_seconds: seconds } = state
  const silentMilliseconds = 1000 * (typeof seconds === 'number' ? seconds : USUAL_SILENT_SECONDS)
  const start = typeof position === 'number' ? position : undefined
  return { id: String(id), lastEventId: Number(lastEventId), state, start, silentMilliseconds }
}

async function poll(
  credentials: Credentials,
  { id, lastEventId }: FollowedQueue,
  take: (event: ApiEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const polled = { queue_id: id, last_event_id: lastEventId }
  const { events } = await call(credentials, queues.getEvents, polled, { signal })
  for (const event of events as ApiEvent[]) take(event)
}

/** Whether asking again will not help: the server refuses, and not because it is busy. */
export function isFinal(error: unknown): boolean {
  // Without a code something before the server answers, such as a proxy while the server starts.
  return error instanceof ApiError && error.code !== '' && error.status < 500 && error.status !== 429
}

function isHeld(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429
}

/** How long the server has a client wait that asked too often: to ask before is in vain. */
export function heldMilliseconds(error: unknown): number {
  const seconds = isHeld(error) ? error.body['retry-after'] : undefined
  return typeof seconds === 'number' ? Math.min(seconds * 1000, LONGEST_HELD_MILLISECONDS) : 0
}

/** Waits, and stops waiting when the signal aborts. */
async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, milliseconds)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}
