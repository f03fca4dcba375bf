import { queues } from '@parley/server/contract'
import { answerOf, login, type Credentials } from './calls.ts'
import type { ApiEvent } from './fold.ts'

const EVENT_STREAM = 'text/event-stream'

/** A server that is asked for a stream begins at once; a proxy that collects answers never does. */
const FIRST_BYTES_MILLISECONDS = 5_000
export interface StreamOptions {
  readonly signal: AbortSignal
  /** A stream of which nothing is heard for so long is broken. */
  readonly silentMilliseconds: number
  readonly firstBytesMilliseconds?: number | undefined
  /** Called when the first bytes have come. */
  readonly onBegin?: (() => void) | undefined
}

/**
 * Reads a queue's events as a stream until that ends, as each does some time.
 * @param take is called with each event
 * @returns whether it was a stream at all; otherwise something on the way does not let streams through, or the server
 *   does not know them, and polls will do
 * @throws ApiError when the server refuses, or something else answers; TypeError when it cannot be reached
 */
export async function readStream(
  credentials: Credentials,
  queue: { readonly id: string; readonly lastEventId: number },
  take: (event: ApiEvent) => void,
  { signal, silentMilliseconds, firstBytesMilliseconds = FIRST_BYTES_MILLISECONDS, onBegin }: StreamOptions,
): Promise<boolean> {
  const ending = new AbortController()
  const end = (): void => ending.abort()
  signal.addEventListener('abort', end)
  let hasBegun = false
  let silence = setTimeout(end, firstBytesMilliseconds)
  const { headers, ...sent } = login(credentials)
  const query = new URLSearchParams({ queue_id: queue.id, last_event_id: String(queue.lastEventId) })
  try {
    const response = await fetch(`${credentials.url}/api/v1${queues.getEvents.path}?${query.toString()}`, {
      ...sent,
      headers: { ...headers, accept: EVENT_STREAM },
      signal: ending.signal,
    })
    if (response.body === null || response.headers.get('content-type')?.startsWith(EVENT_STREAM) !== true) {
      // What answers one poll after all.
      const { events } = await answerOf(response)
      for (const event of events as ApiEvent[]) take(event)
      return false
    }
    const reader = response.body.getReader()
    const parse = parser(take)
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (!hasBegun) onBegin?.()
      hasBegun = true
      clearTimeout(silence)
      silence = setTimeout(end, silentMilliseconds)
      // The body of an answer gives bytes.
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

/**
 * Takes the bytes of a stream as they come. A message of the stream that has a name is no event: `queue` says
 * what the client knows already, and `error` says why the stream ended, which the next request is answered too.
 */
function parser(take: (event: ApiEvent) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder()
  let left = ''
  return (bytes) => {
    const blocks = (left + decoder.decode(bytes, { stream: true })).split('\n\n')
    left = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^id: .*\ndata: (.*)/.exec(block)?.[1]
      // As the server declares it.
      if (data !== undefined) take(JSON.parse(data) as ApiEvent)
    }
  }
}
