import { every } from '../jobs/every.ts'
import type { Exchange } from './exchange.ts'

const LOOK_MILLISECONDS = 1_000

/** Requests that wait for something, such as the database: none for longer than a deadline. */
export interface Deadlines {
  /** Follows a request until its answer is made. A poll that is parked is not followed: its heartbeat answers it. */
  follow(exchange: Exchange, answering: Promise<void>, failed: (error: unknown) => void): void
  close(): Promise<void>
}

/**
 * @param seconds how long a request that has arrived as a whole may wait for its answer to begin
 * @param late answers one that waited longer; what it would have been answered is dropped when it comes
 */
export function openDeadlines(seconds: number, late: (exchange: Exchange) => void): Deadlines {
  /** How often was looked before each arrived, in the order in which they did. */
  const waiting = new Map<Exchange, number>()
  let looks = 0
  const look = (): void => {
    looks += 1
    for (const [exchange, arrived] of waiting) {
      if ((looks - arrived) * LOOK_MILLISECONDS <= seconds * 1_000) return
      const { request, response } = exchange
      // A large file may take its time, in both directions.
      if (!request.complete || response.headersSent) continue
      waiting.delete(exchange)
      late(exchange)
    }
  }
  const looking = every(
    LOOK_MILLISECONDS,
    async () => Promise.resolve(look()),
    () => undefined,
  )
  return {
    follow(exchange, answering, failed) {
      waiting.set(exchange, looks)
      answering.then(
        () => waiting.delete(exchange),
        (error: unknown) => {
          waiting.delete(exchange)
          failed(error)
        },
      )
    },
    close: async () => looking.close(),
  }
}
