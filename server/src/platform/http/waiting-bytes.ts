/*
 * What has arrived of bodies that are not there as a whole. Half a body costs its sender nothing and the server all of it.
 */

const MEBIBYTE = 1024 * 1024
/** Of one address: what a proxy passes on mostly arrives at once, and does not wait. */
const MAX_ADDRESS_BYTES = 16 * MEBIBYTE
/** Of all together. */
const MAX_ALL_BYTES = 64 * MEBIBYTE

/** What one body holds. */
export interface WaitingBytes {
  /** @returns whether it may hold so much in all */
  hold(bytes: number): boolean
  /** It holds nothing any more, whatever comes after it. */
  release(): void
}

const byAddress = new Map<string, number>()
let all = 0

function change(address: string, by: number): void {
  const held = (byAddress.get(address) ?? 0) + by
  if (held > 0) byAddress.set(address, held)
  else byAddress.delete(address)
  all += by
}

export function waitingFrom(address: string): WaitingBytes {
  let held = 0
  let isReleased = false
  return {
    hold(bytes) {
      if (isReleased) return true
      change(address, bytes - held)
      held = bytes
      return all <= MAX_ALL_BYTES && (byAddress.get(address) ?? 0) <= MAX_ADDRESS_BYTES
    },
    release() {
      isReleased = true
      change(address, -held)
      held = 0
    },
  }
}
