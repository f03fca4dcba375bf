import type { OrganizationLog, Whisper } from './organization-log.ts'

/** Whispers that wait while others are sent or heard. Beyond that, the oldest are over by the time the database is back. */
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
    pushBounded(waiting, JSON.stringify({ ...whispered, count }))
    sending ??= sendAll()
    return sending
  }
}

/**
 * Hears whispers of an organization, in their order, when the log has been read as far as where they were said: what is
 * newer than what this process knows, an account or a channel, would be nothing to it.
 * @returns hears one; where it returns a promise, that resolves when nothing waits any more
 */
export function whispersHeard(
  { world, follower }: OrganizationLog,
  hear: (whisper: Whisper) => void,
): (whisper: Whisper) => Promise<void> | undefined {
  const waiting: Whisper[] = []
  let catchingUp: Promise<void> | undefined
  const hearAll = async (): Promise<void> => {
    try {
      while (waiting.length > 0) {
        await follower.catchUp()
        // Everything up to the first one's position was committed before it was said.
        do {
          const whisper = waiting.shift()
          if (whisper !== undefined) hear(whisper)
        } while ((waiting[0]?.position ?? Infinity) <= world.position)
      }
    } finally {
      // What the log cannot be read for is over by the time it can.
      waiting.length = 0
      catchingUp = undefined
    }
  }
  return (whisper) => {
    if (catchingUp === undefined && whisper.position <= world.position) {
      hear(whisper)
      return undefined
    }
    pushBounded(waiting, whisper)
    catchingUp ??= hearAll()
    return catchingUp
  }
}

function pushBounded<Item>(waiting: Item[], item: Item): void {
  waiting.push(item)
  if (waiting.length > MAX_WAITING_WHISPERS) waiting.shift()
}
