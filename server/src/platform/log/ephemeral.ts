import { pushBounded } from '../bus/ephemeral-sender.ts'
import type { OrganizationLog } from './organization-log.ts'
import type { EphemeralRow } from './row.ts'

/**
 * Delivers ephemeral events of an organization, in their order, when the log has been read as far as where they were said: what is
 * newer than what this process knows, an account or a channel, would be nothing to it.
 * @returns delivers one; where it returns a promise, that resolves when nothing waits any more
 */
export function ephemeralDelivery(
  { organization, follower }: OrganizationLog,
  deliver: (ephemeral: EphemeralRow) => void,
): (ephemeral: EphemeralRow) => Promise<void> | undefined {
  const waiting: EphemeralRow[] = []
  let catchingUp: Promise<void> | undefined
  const deliverAll = async (): Promise<void> => {
    try {
      while (waiting.length > 0) {
        await follower.catchUp()
        // Everything up to the first one's position was committed before it was said.
        do {
          const ephemeral = waiting.shift()
          if (ephemeral !== undefined) deliver(ephemeral)
        } while ((waiting[0]?.position ?? Infinity) <= organization.position)
      }
    } finally {
      // What the log cannot be read for is over by the time it can.
      waiting.length = 0
      catchingUp = undefined
    }
  }
  return (ephemeral) => {
    if (catchingUp === undefined && ephemeral.position <= organization.position) {
      deliver(ephemeral)
      return undefined
    }
    pushBounded(waiting, ephemeral)
    catchingUp ??= deliverAll()
    return catchingUp
  }
}
