import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { OutsideFailure, outsideUrl, type OutsideRequest } from './request.ts'

/*
 * Requests to a host that does not answer take the room that others wait for. After a few in a row, further ones fail at once for a
 * while, as if their time had passed. It holds for one person's requests: nobody keeps a host from others by a path that hangs.
 */

/** Requests in a row without an answer, after which the host is left alone. */
export const MOST_UNANSWERED = 3
/** How long it is left alone at first; twice as long with each request after a pause that is not answered either. */
export const FIRST_PAUSE_SECONDS = 30
export const LONGEST_PAUSE_SECONDS = 300
/** What fails sooner, as a refused connection does, holds nobody up. */
const SLOW_MILLISECONDS = 1_000
/** Hosts that did not answer somebody lately. */
const MAX_HOSTS = 10_000

interface Silence {
  /** Requests in a row without an answer. */
  readonly unanswered: number
  /** Until when the host is left alone, by `performance.now`. */
  readonly until: number
}

/** The hosts that do not answer, for each person who has them asked. */
export class HostSilence {
  readonly #silences = new BoundedCache<string, Silence>(MAX_HOSTS)
  readonly #now: () => number

  /** @param now gives the time in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Sends a request, unless its host was silent lately.
   * @throws OutsideFailure
   */
  async unlessSilent<Response>(
    request: Pick<OutsideRequest, 'url' | 'person'>,
    send: () => Promise<Response>,
  ): Promise<Response> {
    const { host } = outsideUrl(request.url)
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
      const isSlow = this.#now() - begun >= SLOW_MILLISECONDS
      if (isSlow && error instanceof OutsideFailure && error.isPassing) this.#note(key)
      throw error
    }
  }

  #note(key: string): void {
    const before = this.#silences.get(key)
    // Requests that went out together fail together, and count as far as the first pause.
    if ((before?.until ?? 0) > this.#now()) return
    const unanswered = (before?.unanswered ?? 0) + 1
    const doublings = unanswered - MOST_UNANSWERED
    const seconds = doublings < 0 ? 0 : Math.min(FIRST_PAUSE_SECONDS * 2 ** doublings, LONGEST_PAUSE_SECONDS)
    this.#silences.set(key, { unanswered, until: this.#now() + seconds * 1_000 })
  }
}
