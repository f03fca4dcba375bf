import { pushBounded } from '../bus/ephemeral-sender.ts'
import type { OrganizationLog } from './organization-log.ts'
import type { EphemeralRow } from './row.ts'

/** Delivers each event once the log is read up to its position, because it can refer to users who were just added. */
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
        // The first event can be delivered: the log up to its position was committed before the event was sent.
        do {
          const ephemeral = waiting.shift()
          if (ephemeral !== undefined) deliver(ephemeral)
        } while ((waiting[0]?.position ?? Infinity) <= organization.position)
      }
    } finally {
      // Drops events after an error: by the time the log can be read again, they will be outdated.
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
