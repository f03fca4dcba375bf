import { randomInt } from 'node:crypto'
import type { RateLimitCount, NodeMessage } from '../bus/bus.ts'
import type { Logs } from '../log/logs.ts'
import { rateLimiter, type RateLimit, type RateLimiter } from './rate.ts'

/* Ordinary requests cause no messages, because counts far below the limit are not reported. */

const GATHER_DELAY_MILLISECONDS = 5
/** Maximum number of counts in a message, because PostgreSQL limits messages to 8,000 bytes. */
const MAX_COUNTS_PER_MESSAGE = 50
/** Maximum length of shared keys. Each node counts longer keys by itself. */
const MAX_KEY_CHARACTERS = 60

export interface SharedLimits {
  limiter(name: string, limit: RateLimit): RateLimiter
  receive(message: NodeMessage): void
}

/** `sendToNodes` is undefined if there is only one node. */
export function sharedLimits(sendToNodes: ((message: NodeMessage) => void) | undefined): SharedLimits {
  const limiters = new Map<string, RateLimiter>()
  const node = randomInt(1, 2 ** 31)
  const waiting = new Map<string, RateLimitCount>()
  const send = (): void => {
    const counts = [...waiting.values()]
    waiting.clear()
    for (let from = 0; from < counts.length; from += MAX_COUNTS_PER_MESSAGE)
      sendToNodes?.({ counted: { node, counts: counts.slice(from, from + MAX_COUNTS_PER_MESSAGE) } })
  }
  const gather = (count: RateLimitCount): void => {
    if (count.key.length > MAX_KEY_CHARACTERS) return
    if (waiting.size === 0) setTimeout(send, GATHER_DELAY_MILLISECONDS).unref()
    waiting.set(`${count.limit} ${count.key}`, count)
  }
  return {
    limiter(name, limit) {
      const reporting =
        sendToNodes === undefined
          ? {}
          : { report: (count: Omit<RateLimitCount, 'limit'>) => gather({ limit: name, ...count }) }
      const limiter = rateLimiter(limit, reporting)
      limiters.set(name, limiter)
      return limiter
    },
    receive(message) {
      if (!('counted' in message) || message.counted.node === node) return
      for (const { limit, ...count } of message.counted.counts)
        limiters.get(limit)?.addFromNode(message.counted.node, count)
    },
  }
}

export function createNodeLimits({ logs, shared }: { readonly logs: Logs; readonly shared: boolean }): SharedLimits {
  const limits = sharedLimits(shared ? (message) => logs.sendToNodes(message) : undefined)
  logs.onNodeMessage((message) => limits.receive(message))
  return limits
}
