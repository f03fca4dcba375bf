import type { OrganizationLog, EphemeralRow } from './organization-log.ts'

/** Ephemeral events that wait while others are sent or delivered. Beyond that, the oldest are over by the time the database is back. */
const MAX_WAITING = 1_000

/** An ephemeral event on its way to all processes. */
export interface PublishedEvent extends EphemeralRow {
  readonly organizationId: number
}

/**
 * Sends ephemeral events one batch after the other, in the order in which they were said: each on a connection of its own, who
 * stops typing would overtake who began.
 * @param send sends payloads in one transaction
 * @returns says one more; what that returns resolves when nothing waits any more
 */
export function ephemeralSender(
  send: (payloads: readonly string[]) => Promise<unknown>,
  onError: (error: Error) => void,
): (published: PublishedEvent) => Promise<void> {
  let waiting: string[] = []
  let sending: Promise<void> | undefined
  let count = 0
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const payloads = waiting
      waiting = []
      await send(payloads).catch(onError)
    }
    // This is the turn of the event loop in which nothing was left, so that the next event starts the sending again.
    sending = undefined
  }
  return (published) => {
    count += 1
    // Of equal notifications in one transaction PostgreSQL delivers one, so each has a number.
    pushBounded(waiting, JSON.stringify({ ...published, count }))
    sending ??= sendAll()
    return sending
  }
}

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

function pushBounded<Item>(waiting: Item[], item: Item): void {
  waiting.push(item)
  if (waiting.length > MAX_WAITING) waiting.shift()
}
