import type { PublishedEvent } from './bus.ts'

/** Ephemeral events that wait while others are sent or delivered. Beyond that, the oldest are over by the time the database is back. */
const MAX_WAITING = 1_000

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

export function pushBounded<Item>(waiting: Item[], item: Item): void {
  waiting.push(item)
  if (waiting.length > MAX_WAITING) waiting.shift()
}
