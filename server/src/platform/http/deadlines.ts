import { repeatEvery } from '../jobs/every.ts'
import type { Exchange } from './exchange.ts'

const CHECK_INTERVAL_MILLISECONDS = 1_000

export interface Deadlines {
  /** Tracks a request, unless it is a parked poll, which the heartbeat answers. */
  follow(exchange: Exchange, answering: Promise<void>, failed: (error: unknown) => void): void
  close(): Promise<void>
}

/** `seconds` is the time from a request's complete arrival to its deadline; `late` then sends the response. */
export function openDeadlines(seconds: number, late: (exchange: Exchange) => void): Deadlines {
  const waiting = new Map<Exchange, number>()
  /** Requests that are not complete: their time to the deadline has not started. */
  const arriving = new Set<Exchange>()
  let checks = 0
  const check = (): void => {
    checks += 1
    for (const exchange of arriving) {
      if (!exchange.request.complete) continue
      arriving.delete(exchange)
      waiting.set(exchange, checks)
    }
    for (const [exchange, arrived] of waiting) {
      if ((checks - arrived) * CHECK_INTERVAL_MILLISECONDS <= seconds * 1_000) return
      const { request, response } = exchange
      // Ignores responses that have started: sending a large file can exceed the deadline.
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
  const checking = repeatEvery(
    CHECK_INTERVAL_MILLISECONDS,
    async () => Promise.resolve(check()),
    () => undefined,
  )
  return {
    follow(exchange, answering, failed) {
      waiting.set(exchange, checks)
      answering.then(
        () => forget(exchange),
        (error: unknown) => {
          forget(exchange)
          failed(error)
        },
      )
    },
    close: async () => checking.close(),
  }
}
