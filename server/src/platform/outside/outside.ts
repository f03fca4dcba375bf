import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { isPossibleHost } from './addresses.ts'
import type { OutsideOptions } from './destinations.ts'
import {
  noDestinationError,
  parseOutsideUrl,
  OutsideFailure,
  type OutsideRequest,
  type OutsideResponse,
} from './request.ts'

/* Requests to URLs that users enter go only to public addresses and to destinations that the operator allows. */

export interface OutsideClient {
  /** Checks a URL's form. Names are resolved later, so the check reveals nothing about them. @throws OutsideFailure */
  checkedUrl(text: string): URL
  /** @throws OutsideFailure */
  request(request: OutsideRequest): Promise<OutsideResponse>
  close(): void
}

export function createOutsideClient(options: OutsideOptions): OutsideClient {
  const closing = new AbortController()
  const silence = new UnresponsiveHosts()
  return {
    checkedUrl(text) {
      const url = parseOutsideUrl(text)
      if (!isPossibleHost(url.hostname, options.allowed)) throw noDestinationError()
      return url
    },
    async request(request) {
      const { sendOutsideRequest } = await import('./send.ts')
      return silence.unlessSilent(request, async () => sendOutsideRequest(request, options, closing.signal))
    },
    close: () => closing.abort(),
  }
}

export const MAX_UNANSWERED_REQUESTS = 3
/** Pause in requests to an unresponsive host. Doubles if the host does not respond after the pause either. */
export const FIRST_PAUSE_SECONDS = 30
export const MAX_PAUSE_SECONDS = 300
/** Faster failures, such as refused connections, cause no pause, because they do not occupy capacity. */
const SLOW_FAILURE_MILLISECONDS = 1_000
const MAX_TRACKED_HOSTS = 10_000

interface UnresponsiveHost {
  readonly unanswered: number
  /** When the pause ends, as a `performance.now()` timestamp. */
  readonly until: number
}

export class UnresponsiveHosts {
  readonly #silences = new BoundedCache<string, UnresponsiveHost>(MAX_TRACKED_HOSTS)
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  async unlessSilent<Response>(
    request: Pick<OutsideRequest, 'url' | 'person'>,
    send: () => Promise<Response>,
  ): Promise<Response> {
    const { host } = parseOutsideUrl(request.url)
    const key = `${request.person}@${host}`
    const begun = this.#now()
    if ((this.#silences.get(key)?.until ?? 0) > begun) {
      throw new OutsideFailure('time', 'the address has not answered for a while')
    }
    try {
      const response = await send()
      this.#silences.delete(key)
      return response
    } catch (error) {
      const isSlow = this.#now() - begun >= SLOW_FAILURE_MILLISECONDS
      if (isSlow && error instanceof OutsideFailure && error.isPassing) this.#note(key)
      throw error
    }
  }

  #note(key: string): void {
    const before = this.#silences.get(key)
    // Ignores failures during a pause, because concurrent requests fail together.
    if ((before?.until ?? 0) > this.#now()) return
    const unanswered = (before?.unanswered ?? 0) + 1
    const doublings = unanswered - MAX_UNANSWERED_REQUESTS
    const seconds = doublings < 0 ? 0 : Math.min(FIRST_PAUSE_SECONDS * 2 ** doublings, MAX_PAUSE_SECONDS)
    this.#silences.set(key, { unanswered, until: this.#now() + seconds * 1_000 })
  }
}
