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
  /** Those that take long to arrive, such as large files: their time begins when they have. */
  const arriving = new Set<Exchange>()
  let looks = 0
  const look = (): void => {
    looks += 1
    for (const exchange of arriving) {
      if (!exchange.request.complete) continue
      arriving.delete(exchange)
      waiting.set(exchange, looks)
    }
    for (const [exchange, arrived] of waiting) {
      if ((looks - arrived) * LOOK_MILLISECONDS <= seconds * 1_000) return
      const { request, response } = exchange
      // A large file may take its time to go out, too.
      if (response.headersSent) continue
      waiting.delete(exchange)
      if (request.complete) late(exchange)
      else arriving.add(exchange)
    }
  }
  const forget = (exchange: Exchange): void => {
    waiting.delete(exchange)
    arriving.delete(exchange)
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
        () => forget(exchange),
        (error: unknown) => {
          forget(exchange)
          failed(error)
        },
      )
    },
    close: async () => looking.close(),
  }
}
