import { mayBeHost } from './addresses.ts'
import { HostSilence } from './host-silence.ts'
import type { OutsideOptions } from './options.ts'
import { noDestination, outsideUrl, type OutsideRequest, type OutsideResponse } from './request.ts'

/*
 * Sends requests to URLs that users enter. Users must not reach services that only the server can reach, so requests go
 * only to public addresses and to destinations the operator allows.
 */

export interface Outside {
  /**
   * Names are resolved later, for each request, so that this check reveals nothing about them.
   * @throws OutsideFailure also if the host is a forbidden address
   */
  checkedUrl(text: string): URL
  /** @throws OutsideFailure */
  request(request: OutsideRequest): Promise<OutsideResponse>
  close(): void
}

/** Loads the HTTP client with the first request. */
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
