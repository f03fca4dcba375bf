import { mayBeHost } from './addresses.ts'
import { HostSilence } from './host-silence.ts'
import type { OutsideOptions } from './options.ts'
import { noDestination, outsideUrl, type OutsideRequest, type OutsideResponse } from './request.ts'

/*
 * The one way to an address that somebody typed: the payload URL of a bot, a link in a message. Whoever types it must reach
 * nothing with it that only the server reaches, so a request goes to public addresses alone, and to what the operator allows.
 */

export interface Outside {
  /**
   * An address to which requests may be sent, as far as its text says, in its usual spelling. Where a name leads is asked anew
   * for each request, and not told to those who guess.
   * @throws OutsideFailure also where its host is written as an address to which none may go
   */
  checkedUrl(text: string): URL
  /** @throws OutsideFailure */
  request(request: OutsideRequest): Promise<OutsideResponse>
  /** Ends what is on its way, and lets nothing more go. */
  close(): void
}

/** What sends is loaded with the first request. */
export function openOutside(options: OutsideOptions): Outside {
  const closing = new AbortController()
  const silence = new HostSilence()
  return {
    checkedUrl(text) {
      const url = outsideUrl(text)
      if (!mayBeHost(url.hostname, options.allowed)) throw noDestination()
      return url
    },
    async request(request) {
      const { send } = await import('./send.ts')
      return silence.unlessSilent(request, async () => send(request, options, closing.signal))
    },
    close: () => closing.abort(),
  }
}
