import type { Whisper } from './organization-log.ts'

/** Whispers that wait while others are sent. Beyond that, the oldest are over by the time the database is back. */
const MAX_WAITING_WHISPERS = 1_000

/** A whisper on its way to all processes. */
export interface Whispered extends Whisper {
  readonly organizationId: number
}

/**
 * Sends whispers one batch after the other, in the order in which they were said: each on a connection of its own, who
 * stops typing would overtake who began.
 * @param send sends payloads in one transaction
 * @returns says one more; what that returns resolves when nothing waits any more
 */
export function whisperer(
  send: (payloads: readonly string[]) => Promise<unknown>,
  onError: (error: Error) => void,
): (whispered: Whispered) => Promise<void> {
  let waiting: string[] = []
  let sending: Promise<void> | undefined
  let count = 0
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const payloads = waiting
      waiting = []
      await send(payloads).catch(onError)
    }
    // In the same turn in which nothing was left, so that the next one starts again.
    sending = undefined
  }
  return (whispered) => {
    count += 1
    // Of equal notifications in one transaction PostgreSQL delivers one, so each has a number.
    waiting.push(JSON.stringify({ ...whispered, count }))
    if (waiting.length > MAX_WAITING_WHISPERS) waiting.shift()
    sending ??= sendAll()
    return sending
  }
}
