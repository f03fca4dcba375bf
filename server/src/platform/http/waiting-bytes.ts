/* Half a body costs its sender nothing, but occupies the server's memory. */

const MEBIBYTE = 1024 * 1024
/** Requests passed on by a proxy mostly arrive whole and do not count. */
const MAX_ADDRESS_BYTES = 16 * MEBIBYTE
const MAX_ALL_BYTES = 64 * MEBIBYTE

export interface WaitingBytes {
  /** @returns whether the size is within the limits */
  hold(bytes: number): boolean
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
