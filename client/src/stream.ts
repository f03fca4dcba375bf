import { queues } from '@parley/server/contract'
import { answerOf, authorizationOptions, type Credentials } from './calls.ts'
import type { ApiEvent } from './fold.ts'

const EVENT_STREAM = 'text/event-stream'

/** A server starts a stream immediately; a buffering proxy never does. */
const FIRST_BYTES_TIMEOUT_MILLISECONDS = 5_000
export interface StreamOptions {
  readonly signal: AbortSignal
  /** Silence after which the stream counts as broken. */
  readonly silentMilliseconds: number
  readonly firstBytesMilliseconds?: number | undefined
  /** Called when the first bytes arrive. */
  readonly onBegin?: (() => void) | undefined
}

/**
 * Reads a queue's events as a stream until the stream ends.
 * @returns false if streams do not work here and the caller should poll
 * @throws ApiError when the server refuses or a proxy answers; TypeError when the server is unreachable
 */
export async function readStream(
  credentials: Credentials,
  queue: { readonly id: string; readonly lastEventId: number },
  take: (event: ApiEvent) => void,
  { signal, silentMilliseconds, firstBytesMilliseconds = FIRST_BYTES_TIMEOUT_MILLISECONDS, onBegin }: StreamOptions,
): Promise<boolean> {
  const ending = new AbortController()
  const end = (): void => ending.abort()
  signal.addEventListener('abort', end)
  let hasBegun = false
  let silence = setTimeout(end, firstBytesMilliseconds)
  const { headers, ...sent } = authorizationOptions(credentials)
  const query = new URLSearchParams({ queue_id: queue.id, last_event_id: String(queue.lastEventId) })
  try {
    const response = await fetch(`${credentials.url}/api/v1${queues.getEvents.path}?${query.toString()}`, {
      ...sent,
      headers: { ...headers, accept: EVENT_STREAM },
      signal: ending.signal,
    })
    if (response.body === null || response.headers.get('content-type')?.startsWith(EVENT_STREAM) !== true) {
      // The server answered with the events of a single poll.
      const { events } = await answerOf(response)
      for (const event of events as ApiEvent[]) take(event)
      return false
    }
    const reader = response.body.getReader()
    const parse = createParser(take)
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (!hasBegun) onBegin?.()
      hasBegun = true
      clearTimeout(silence)
      silence = setTimeout(end, silentMilliseconds)
      parse(read.value as Uint8Array)
    }
    return true
  } catch (error) {
    if (!ending.signal.aborted || signal.aborted) throw error
    return hasBegun
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', end)
    end()
  }
}

/** Skips named events: `queue` repeats known data; after `error`, the next request returns the same error. */
function createParser(take: (event: ApiEvent) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder()
  let left = ''
  return (bytes) => {
    const blocks = (left + decoder.decode(bytes, { stream: true })).split('\n\n')
    left = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^id: .*\ndata: (.*)/.exec(block)?.[1]
      if (data !== undefined) take(JSON.parse(data) as ApiEvent)
    }
  }
}
