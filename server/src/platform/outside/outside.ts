import type { OutsideOptions } from './options.ts'
import type { OutsideRequest, OutsideResponse } from './request.ts'

/*
 * The one way to an address that somebody typed: the payload URL of a bot, a link in a message. Whoever types it must reach
 * nothing with it that only the server reaches, so a request goes to public addresses alone, and to what the operator allows.
 */

export interface Outside {
  /** @throws OutsideFailure */
  request(request: OutsideRequest): Promise<OutsideResponse>
  /** Ends what is on its way, and lets nothing more go. */
  close(): void
}

/** What sends is loaded with the first request. */
export function openOutside(options: OutsideOptions): Outside {
  const closing = new AbortController()
  return {
    async request(request) {
      const { send } = await import('./send.ts')
      return send(request, options, closing.signal)
    },
    close: () => closing.abort(),
  }
}
