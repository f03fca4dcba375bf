import { mayBeHost } from './addresses.ts'
import { HostSilence } from './host-silence.ts'
import type { OutsideOptions } from './options.ts'
import { noDestination, outsideUrl, type OutsideRequest, type OutsideResponse } from './request.ts'

/* Sends requests to URLs that users enter, and so only to public addresses and to destinations the operator allows. */

export interface OutsideClient {
  /** Names are resolved later, so that this check reveals nothing about them. @throws OutsideFailure */
  checkedUrl(text: string): URL
  /** @throws OutsideFailure */
  request(request: OutsideRequest): Promise<OutsideResponse>
  close(): void
}

export function openOutside(options: OutsideOptions): OutsideClient {
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
