import type { PublishedEvent } from './bus.ts'

/** Number of events kept while the database is unreachable. Older events would be outdated when it returns. */
const MAX_WAITING_EVENTS = 1_000

/** Sends ephemeral events in order, so "stopped typing" never overtakes "typing". Resolves when all are sent. */
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
    // Runs in the same turn of the event loop as the check for waiting events, so the next event starts a new round.
    sending = undefined
  }
  return (published) => {
    count += 1
    // Numbers each notification, because PostgreSQL merges equal notifications of a transaction.
    pushBounded(waiting, JSON.stringify({ ...published, count }))
    sending ??= sendAll()
    return sending
  }
}

export function pushBounded<Item>(waiting: Item[], item: Item): void {
  waiting.push(item)
  if (waiting.length > MAX_WAITING_EVENTS) waiting.shift()
}
