import { randomInt } from 'node:crypto'
import type { Count, NodeMessage } from '../bus/bus.ts'
import type { Logs } from '../log/logs.ts'
import { rateLimiter, type RateLimit, type RateLimiter } from './rate.ts'

/*
 * Limits that nodes share: whoever asks much of several nodes is counted by all of them together. What is counted here is told to
 * the others when it is a good part of the limit, and then again and again, so that ordinary requests cost nothing.
 */

/** Counts gather so long for one message. */
const GATHER_MILLISECONDS = 5
/** In one message, which PostgreSQL lets have less than 8,000 bytes. */
const MAX_COUNTS = 50
/** What is longer is no address, and none of our ids: it is counted by each node for itself. */
const MAX_KEY_CHARACTERS = 60

export interface SharedLimits {
  /** @param name by which nodes know which limit it is */
  limiter(name: string, limit: RateLimit): RateLimiter
  heard(message: NodeMessage): void
}

/** @param tell tells the other nodes; undefined where there are none */
export function sharedLimits(tell: ((message: NodeMessage) => void) | undefined): SharedLimits {
  const limiters = new Map<string, RateLimiter>()
  const node = randomInt(1, 2 ** 31)
  // The latest of each key.
  const waiting = new Map<string, Count>()
  const send = (): void => {
    const counts = [...waiting.values()]
    waiting.clear()
    for (let from = 0; from < counts.length; from += MAX_COUNTS)
      tell?.({ counted: { node, counts: counts.slice(from, from + MAX_COUNTS) } })
  }
  const gather = (count: Count): void => {
    if (count.key.length > MAX_KEY_CHARACTERS) return
    if (waiting.size === 0) setTimeout(send, GATHER_MILLISECONDS).unref()
    waiting.set(`${count.limit} ${count.key}`, count)
  }
  return {
    limiter(name, limit) {
      const telling =
        tell === undefined ? {} : { tell: (told: Omit<Count, 'limit'>) => gather({ limit: name, ...told }) }
      const limiter = rateLimiter(limit, telling)
      limiters.set(name, limiter)
      return limiter
    },
    heard(message) {
      if (!('counted' in message) || message.counted.node === node) return
      for (const { limit, ...count } of message.counted.counts) limiters.get(limit)?.heard(message.counted.node, count)
    },
  }
}

/** Limits that hold for all nodes of a store together, where it is shared. */
export function limitsOfNodes({ logs, shared }: { readonly logs: Logs; readonly shared: boolean }): SharedLimits {
  const limits = sharedLimits(shared ? (message) => logs.tellNodes(message) : undefined)
  logs.onNodeMessage((message) => limits.heard(message))
  return limits
}
