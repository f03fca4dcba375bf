import { queues } from '@parley/server/contract'
import type { ClientState } from '@parley/server/kernel/event'
import type * as z from 'zod/mini'
import { ApiError, call, type Credentials } from './calls.ts'
import { fold, type ApiEvent } from './fold.ts'

const FIRST_RETRY_MILLISECONDS = 250
const LONGEST_RETRY_MILLISECONDS = 30_000

export interface Follower {
  /** Called after a registration, with the state that the events will change: at first, and when a queue was lost. */
  onState(state: ClientState): void
  /**
   * Called for each event, after it has been folded into the state.
   * @param touched the names of the state's fields that it may have changed; no other has
   */
  onEvent(event: ApiEvent, state: ClientState, touched: readonly string[]): void
}

/**
 * Registers an event queue and follows it until the signal aborts, through restarts of the server and losses of the
 * connection; registers anew when the queue is gone.
 */
export async function follow(
  credentials: Credentials,
  registration: z.input<(typeof queues.registerQueue)['input']>,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  let queue: { id: string; lastEventId: number; state: ClientState } | undefined
  const options = { includeSubscribers: (registration.include_subscribers ?? 'false') !== 'false' }
  let pause = FIRST_RETRY_MILLISECONDS
  while (!signal.aborted) {
    try {
      if (queue === undefined) {
        const state = await call(credentials, queues.registerQueue, registration, { signal })
        if (state.queue_id === null) throw new Error('who is logged in always gets a queue')
        queue = { id: state.queue_id, lastEventId: state.last_event_id, state }
        follower.onState(state)
      }
      const polled = { queue_id: queue.id, last_event_id: queue.lastEventId }
      const { events } = await call(credentials, queues.getEvents, polled, { signal })
      for (const event of events as ApiEvent[]) {
        const touched = fold(queue.state, event, options)
        queue.lastEventId = event.id
        follower.onEvent(event, queue.state, touched)
      }
      pause = FIRST_RETRY_MILLISECONDS
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && error.code === 'BAD_EVENT_QUEUE_ID') {
        queue = undefined
        continue
      }
      if (isFinal(error)) throw error
      await rest(pause, signal)
      pause = Math.min(pause * 2, LONGEST_RETRY_MILLISECONDS)
    }
  }
}

/** Whether asking again will not help: the server refuses, and not because it is busy. */
function isFinal(error: unknown): boolean {
  // Without a code something before the server answers, such as a proxy while the server starts.
  return error instanceof ApiError && error.code !== '' && error.status < 500 && error.status !== 429
}

/** Waits, but not longer than anybody is interested. */
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
